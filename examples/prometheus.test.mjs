/** Has a real Prometheus scrape the example, and asks it every question of the Grafana dashboard. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { end, freePort, undoing } from './lib/test-process.mjs';

const example = fileURLToPath(new URL('observability.ts', import.meta.url));
const dashboardFile = fileURLToPath(new URL('../docs/grafana-dashboard.json', import.meta.url));
const prometheus = process.env['PROMETHEUS'] ?? 'prometheus';
const isThere = spawnSync(prometheus, ['--version']).status === 0;

/** A panel of a dashboard. @typedef {{ type: string, title: string, targets?: { expr: string }[] }} Panel */

/** A variable. @typedef {{ name: string, type: string, query: string | { query: string } }} Variable */

/** @returns {Promise<{ schemaVersion: number, title: string, uid: string, panels: (Panel & { id: number })[], templating: { list: Variable[] } }>} */
async function readDashboard() {
  return JSON.parse(await readFile(dashboardFile, 'utf8'));
}

/** The expressions of the dashboard, with its variables filled in as Grafana does for All. */
async function expressions() {
  const { panels } = await readDashboard();
  return panels
    .flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
    .map(({ title, expr }) => ({
      title,
      expr: expr.replaceAll('$__rate_interval', '10s').replaceAll(/\$(?:job|controller)\b/g, '.+'),
    }));
}

/** The metric and the label of each variable that Grafana fills with `label_values`. */
async function variables() {
  const { templating } = await readDashboard();
  return templating.list.flatMap(({ name, query }) => {
    const text = typeof query === 'string' ? query : query.query;
    const { metric, label } =
      /^label_values\((?<metric>.+), (?<label>\w+)\)$/.exec(text)?.groups ?? {};
    if (metric === undefined || label === undefined) return [];
    return [{ name, label, metric: metric.replaceAll('$job', '.+') }];
  });
}

describe('the Grafana dashboard', () => {
  it('has what Grafana needs to import it', async () => {
    const { schemaVersion, title, uid, panels } = await readDashboard();
    assert.ok(schemaVersion >= 36);
    assert.equal(title, 'client-ts controllers');
    assert.equal(uid, 'client-ts');
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length, 'ids are unique');
    assert.ok((await expressions()).every(({ expr }) => !expr.includes('$')));
  });

  it(
    'shows series for every expression, from a Prometheus that scrapes the example',
    { skip: isThere ? false : 'needs prometheus' },
    async (t) => {
      const undo = undoing(t);
      const directory = await mkdtemp(join(tmpdir(), 'client-ts-prometheus-'));
      undo.push(() => rm(directory, { recursive: true, force: true }));
      const program = spawn(process.execPath, [example, '--serve'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      undo.push(() => end(program));
      let url = '';
      for await (const line of createInterface({ input: program.stdout })) {
        if (!line.startsWith('metrics at ')) continue;
        url = line.slice('metrics at '.length);
        break;
      }
      const text = await (await fetch(url)).text();
      const promtool = join(dirname(prometheus), 'promtool');
      if (prometheus.includes('/')) {
        // Its complaints are about names, which are those of Kubernetes.
        const { stderr, status } = spawnSync(promtool, ['check', 'metrics'], { input: text });
        assert.doesNotMatch(String(stderr), /error while linting|text format/);
        assert.notEqual(status, 1);
      }
      const port = await freePort();
      const config = join(directory, 'prometheus.yml');
      const { host } = new URL(url);
      await writeFile(
        config,
        `global: { scrape_interval: 1s }\nscrape_configs:\n  - job_name: mirror\n    static_configs: [{ targets: ['${host}'] }]\n`,
      );
      const server = spawn(
        prometheus,
        [
          `--config.file=${config}`,
          `--storage.tsdb.path=${join(directory, 'data')}`,
          `--web.listen-address=127.0.0.1:${port}`,
          '--log.level=error',
        ],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      );
      undo.push(() => end(server));
      /** @param {string} query */
      const ask = async (query) => {
        const asked = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
        const answer = await fetch(asked).catch(() => undefined);
        if (answer === undefined || answer.status >= 500) return [];
        const { status, error, data } = await answer.json();
        assert.equal(status, 'success', `${query}: ${error}`);
        return data.result;
      };
      for (const { title, expr } of await expressions()) {
        let series = [];
        while (series.length === 0) series = await ask(expr);
        t.diagnostic(`${title}: ${series.length} series`);
      }
      const found = [];
      for (const { name, label, metric } of await variables()) {
        const query = new URLSearchParams({ 'match[]': metric });
        const asked = `http://127.0.0.1:${port}/api/v1/label/${label}/values?${query}`;
        const { data } = await (await fetch(asked)).json();
        found.push(`${name}: ${data}`);
      }
      assert.deepEqual(found, ['job: mirror', 'controller: mirror']);
      let copied = [];
      while (copied.length === 0) copied = await ask('mirror_copies_total{job="mirror"} > 1');
      assert.equal(copied.length, 1);
    },
  );
});
