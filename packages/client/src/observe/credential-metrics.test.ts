import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channel } from 'node:diagnostics_channel';
import { after, before, describe, it } from 'node:test';
import { ExecCredentials } from '../clientcmd/exec-credentials.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { credentialMetrics } from './credential-metrics.ts';
import { MetricsRegistry } from './metrics-registry.ts';

const V1 = 'client.authentication.k8s.io/v1';
/** Both are valid from 2026-11-16T01:55:27Z for ten years. */
const ISSUED_AT = Date.parse('2026-11-16T01:55:27Z');
const EXPIRES_AT = Date.parse('2036-11-13T01:55:27Z');
const FIRST = pem(
  'MIIBcDCCARWgAwIBAgIUJFyRE8x0hb51e1cDhX6O46tN/5owCgYIKoZIzj0EAwIw',
  'DTELMAkGA1UEAwwCdDEwHhcNMjYxMTE2MDE1NTI3WhcNMzYxMTEzMDE1NTI3WjAN',
  'MQswCQYDVQQDDAJ0MTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMDgAAw/GP3B',
  '5t/9d04vZKXJzn+NTWofxlpLhCx/ZCzufJua7F4csExw9Dt2c8DNllluyWZpQvlo',
  'fJi2rEZGP6qjUzBRMB0GA1UdDgQWBBSq2oUVNTyUrUz4Ew/VxZa2r6SfKzAfBgNV',
  'HSMEGDAWgBSq2oUVNTyUrUz4Ew/VxZa2r6SfKzAPBgNVHRMBAf8EBTADAQH/MAoG',
  'CCqGSM49BAMCA0kAMEYCIQCzWM1qphEQwNg5aW7P23d91HjVRg2CGYShM7E4h0ot',
  'WwIhAIV7DTDdkPnUwnTJYy4N7aHTt//7VFC7IHzBYGrrN53r',
);
const SECOND = pem(
  'MIIBbzCCARWgAwIBAgIUGqdUBBLFflJ/djcTbv54RGN0+WAwCgYIKoZIzj0EAwIw',
  'DTELMAkGA1UEAwwCdDIwHhcNMjYxMTE2MDE1NTI3WhcNMzYxMTEzMDE1NTI3WjAN',
  'MQswCQYDVQQDDAJ0MjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGAKadjKMra2',
  'XxyRg/jPvVxegiYJ/pe2+Xul9WuZyRJqzGwHWEe2h2NQAlISnCExf5c8MrLtbLzW',
  'y79GFrzJ8YGjUzBRMB0GA1UdDgQWBBRXvjqpxOkozVFnKoOH04BJbXh2IzAfBgNV',
  'HSMEGDAWgBRXvjqpxOkozVFnKoOH04BJbXh2IzAPBgNVHRMBAf8EBTADAQH/MAoG',
  'CCqGSM49BAMCA0gAMEUCIEtmRqfHrw3U8h8gXZ39m/hJJATkZK97SRxEFEldtO9f',
  'AiEAplDabZ9cQgYYsZkMmP6uNLVLKWAX20dmqMrRgCNRS/k=',
);

function pem(...lines: readonly string[]): string {
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

let folder = '';
before(async () => (folder = await mkdtemp(join(tmpdir(), 'client-ts-'))));
after(() => rm(folder, { recursive: true, force: true }));

/** A plugin that prints what is in its file, and exits with the code in another. */
async function plugin(clock: VirtualClock, name = 'plugin'): Promise<ExecCredentials> {
  const command = join(folder, name);
  await writeFile(command, `#!/bin/sh\ncat ${command}.out\nexit $(cat ${command}.code)\n`);
  await chmod(command, 0o755);
  return new ExecCredentials({
    clock,
    origin: join(folder, 'config'),
    cluster: {
      origin: '',
      server: 'https://10.0.0.1',
      tlsServerName: '',
      insecureSkipTlsVerify: false,
      certificateAuthority: '',
      certificateAuthorityData: '',
      proxyUrl: '',
      disableCompression: false,
      extensions: [],
    },
    exec: {
      apiVersion: V1,
      command,
      args: [],
      env: [],
      installHint: '',
      provideClusterInfo: false,
      interactiveMode: 'Never',
    },
  });
}

async function prints(status: object, code = 0, name = 'plugin'): Promise<void> {
  const text = JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status });
  await writeFile(join(folder, `${name}.out`), text);
  await writeFile(join(folder, `${name}.code`), String(code));
}

describe('credentialMetrics', () => {
  it('counts runs of plugins, and knows the certificates they print', async () => {
    const registry = new MetricsRegistry();
    const clock = new VirtualClock({ startMs: ISSUED_AT + 3_600_000 });
    using _ = credentialMetrics(registry, { clock });
    assert.match(registry.text(), /^rest_client_exec_plugin_ttl_seconds \+Inf$/m);
    const source = await plugin(clock);
    await prints({ clientCertificateData: FIRST, clientKeyData: 'KEY' });
    const credentials = await source.get();
    source.refused(credentials);
    await prints({}, 7);
    await assert.rejects(source.get());
    await prints({});
    await assert.rejects(source.get(), 'neither a token nor a certificate');
    await prints({ clientCertificateData: SECOND, clientKeyData: 'KEY' });
    await source.get();
    await rm(join(folder, 'plugin'));
    source.refused(await source.get());
    await assert.rejects(source.get());
    const calls = 'rest_client_exec_plugin_call_total';
    const text = registry.text();
    for (const line of [
      `${calls}{code="0",call_status="no_error"} 2`,
      `${calls}{code="7",call_status="plugin_execution_error"} 1`,
      `${calls}{code="1",call_status="client_internal_error"} 1`,
      `${calls}{code="1",call_status="plugin_not_found_error"} 1`,
      `rest_client_exec_plugin_ttl_seconds ${(EXPIRES_AT - clock.now()) / 1000}`,
      'rest_client_exec_plugin_certificate_rotation_age_sum 3600',
      'rest_client_exec_plugin_certificate_rotation_age_count 1',
    ]) {
      assert.ok(text.includes(`${line}\n`), `${line} is not in\n${text}`);
    }
  });

  it('counts changes of CA files by result, until it is disposed', () => {
    const registry = new MetricsRegistry();
    const reload = channel('client-ts:credentials:reload');
    const unreadable = Object.assign(new Error('EACCES'), { syscall: 'open' });
    const publishAll = (): void => {
      reload.publish({ what: 'ca', outcome: 'updated' });
      reload.publish({ what: 'token', outcome: 'updated' });
      reload.publish({ what: 'ca', outcome: 'failed', error: unreadable });
      reload.publish({ what: 'ca', outcome: 'failed', error: new Error('no certificate') });
    };
    {
      using _ = credentialMetrics(registry);
      publishAll();
    }
    publishAll();
    const found = registry.text().match(/^rest_client_transport_ca_reload_total.*$/gm);
    assert.deepEqual(found, [
      'rest_client_transport_ca_reload_total{result="success",reason="updated"} 1',
      'rest_client_transport_ca_reload_total{result="failure",reason="read_error"} 1',
      'rest_client_transport_ca_reload_total{result="failure",reason="ca_parse_error"} 1',
    ]);
  });
});
