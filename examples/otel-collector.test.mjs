/** Sends traces and events to a real OpenTelemetry Collector, which prints what it has received. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ApiServer } from '@client-ts/apiserver';
import { Clientset } from 'client-ts';

import { end, freePort, undoing } from './lib/test-process.mjs';

const example = fileURLToPath(new URL('observability.ts', import.meta.url));
const cli = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url));
const otelcol = process.env['OTELCOL'] ?? 'otelcol';
const options = {
  skip: spawnSync(otelcol, ['--version']).status === 0 ? false : 'needs otelcol (or OTELCOL=FILE)',
};

/** @param {(() => unknown)[]} undo */
async function startCollector(undo) {
  const directory = await mkdtemp(join(tmpdir(), 'client-ts-otelcol-'));
  undo.push(() => rm(directory, { recursive: true, force: true }));
  const endpoint = `127.0.0.1:${await freePort()}`;
  const pipeline = { receivers: ['otlp'], exporters: ['debug'] };
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint } } } },
    exporters: { debug: { verbosity: 'detailed' } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: pipeline, logs: pipeline },
    },
  };
  await writeFile(join(directory, 'config.yaml'), JSON.stringify(config));
  const child = spawn(otelcol, ['--config', `file:${join(directory, 'config.yaml')}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  undo.push(() => end(child));
  const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  /** Returns what it prints up to a line that matches. @param {RegExp} pattern */
  const until = async (pattern) => {
    const read = [];
    for (;;) {
      const { value, done } = await lines.next();
      assert.ok(done !== true, `it ended: ${read.join('\n')}`);
      read.push(value);
      if (pattern.test(value)) return read;
    }
  };
  await until(/Everything is ready/);
  return { directory, url: `http://${endpoint}`, until };
}

describe('an OpenTelemetry Collector', options, () => {
  it('receives the reconcile, the change that it is linked to, and its write', async (t) => {
    const undo = undoing(t);
    const { url, until } = await startCollector(undo);
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: url };
    const program = spawn(process.execPath, [example], { env, stdio: 'ignore' });
    undo.push(() => program.kill());
    const change = await until(/ Name +: watch add configmaps$/);
    const trace = change.findLast((line) => line.includes('Trace ID  '))?.split(': ')[1] ?? '';
    await until(/ Name +: reconcile mirror$/);
    assert.ok((await until(/-> Trace ID: /)).at(-1)?.endsWith(trace));
    const write = await until(/ Name +: PATCH .*configmaps\/\{name\}$/);
    const parent = write.findLast((line) => line.includes('Parent ID  '));
    assert.match(parent ?? '', /: [\da-f]{16}$/);
  });

  it('receives events as log records', async (t) => {
    const undo = undoing(t);
    const { directory, url, until } = await startCollector(undo);
    const server = await ApiServer.start();
    undo.push(() => server.close());
    const client = new Clientset(server.config);
    undo.push(() => client.close());
    const kubeconfig = join(directory, 'kubeconfig');
    await writeFile(kubeconfig, server.kubeconfig);
    await client.coreV1.events('default').create({
      metadata: { name: 'web.1' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'web' },
      reason: 'Failed',
      message: 'image not found',
      type: 'Warning',
    });
    const flags = ['--kubeconfig', kubeconfig, '--sqlite=false', '--otlp', url];
    const spool = ['--spool', join(directory, 'spool')];
    const env = { ...process.env, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' };
    const command = [cli, 'collect-events', ...flags, ...spool];
    const program = spawn(process.execPath, command, { env, stdio: 'ignore' });
    undo.push(() => end(program));
    const record = await until(/^Body: /);
    assert.equal(record.at(-1), 'Body: Str(image not found)');
    assert.equal(record.at(-2), 'SeverityNumber: Warn(13)');
    const attributes = await until(/k8s\.event\.reason/);
    assert.match(attributes.at(-1) ?? '', /Str\(Failed\)$/);
  });
});
