import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';

import { ApiServer, CertificateAuthority } from '@client-ts/apiserver';
import {
  CacheSyncError,
  ListWatch,
  SharedIndexInformer,
  waitForCacheSync,
  type CachedObject,
} from 'client-ts/cache';
import { runController } from 'client-ts/controller';
import { SharedInformerFactory } from 'client-ts/informers';
import { Clientset } from 'client-ts/kubernetes';
import { ClientError, systemClock } from 'client-ts/internal';
import { conditions, waitFor } from 'client-ts/wait';
import type { Config } from 'client-ts/transport';
import { RateLimitingQueue } from 'client-ts/workqueue';

import { silentLogger } from './test-silent-logger.ts';

/** Ends every wait: a test that takes this long fails. */
const inTime = (): AbortSignal => AbortSignal.timeout(60_000);

const threeYearsAgo = {
  ...systemClock,
  now: () => systemClock.now() - 3 * 365 * 24 * 3_600_000,
};

/** A configuration that never works, however long one waits. */
interface Trial {
  readonly name: string;
  /** The code of the cause. Default: any. */
  readonly code?: string;
  readonly state: 'blocked' | 'denied';
  readonly start: () => Promise<{ readonly config: Config } & AsyncDisposable>;
}

async function embedded(
  change: (server: ApiServer) => Partial<Config>,
): ReturnType<Trial['start']> {
  const server = await ApiServer.start({ anonymous: false });
  const config = { ...server.config, ...change(server) };
  return { config, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Starts a server that answers everything with a page, like a captive portal. */
async function portal(page: string): ReturnType<Trial['start']> {
  const authority = new CertificateAuthority({ clock: systemClock });
  const { certificate: cert, key } = authority.issueServerCertificate(['127.0.0.1']);
  const server = createServer({ cert, key }, (_, response) =>
    response.setHeader('content-type', 'text/html').end(page),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    config: { server: `https://127.0.0.1:${port}`, tls: { ca: authority.certificate } },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const trials: readonly Trial[] = [
  {
    name: 'a CA that did not sign the certificate of the server',
    code: 'TRANSPORT_TLS_UNTRUSTED',
    state: 'blocked',
    start: () =>
      embedded(() => ({
        tls: { ca: new CertificateAuthority({ clock: systemClock }).certificate },
      })),
  },
  {
    name: 'a token that the server rejects',
    code: 'API_UNAUTHORIZED',
    state: 'denied',
    start: () => embedded(() => ({ auth: { token: 'not-this-one' } })),
  },
  {
    name: 'an expired client certificate',
    code: 'API_UNAUTHORIZED',
    state: 'denied',
    start: () =>
      embedded(({ ca }) => {
        const clients = new CertificateAuthority({ clock: threeYearsAgo });
        const user = clients.issueClientCertificate({ commonName: 'expired' });
        return { auth: {}, tls: { ca, cert: user.certificate, key: user.key } };
      }),
  },
  {
    name: 'a login page where the API should be',
    state: 'blocked',
    start: () => portal('<html>Please log in</html>'),
  },
];

for (const { name, code, state, start } of trials) {
  describe(`waiting for caches with ${name}`, () => {
    const isRightError = (error: unknown): boolean => {
      assert.ok(error instanceof CacheSyncError, String(error));
      assert.ok(error.cause instanceof ClientError, String(error.cause));
      assert.equal(error.cause.code, code ?? error.cause.code);
      assert.equal(error.cause.retry, 'never');
      assert.ok(error.message.includes(error.cause.message));
      assert.deepEqual(
        error.waiting.map((waiting) => waiting.state?.state),
        error.waiting.map(() => state),
      );
      return true;
    };

    it('rejects immediately from a factory, and logs one warning per informer', async () => {
      await using target = await start();
      const warnings: string[] = [];
      const logger = { ...silentLogger, warn: (line: string) => void warnings.push(line) };
      await using client = new Clientset({ ...target.config, logger });
      await using factory = new SharedInformerFactory(client);
      factory.coreV1.pods();
      factory.coreV1.secrets();
      factory.start();
      await assert.rejects(factory.waitForCacheSync({ signal: inTime() }), isRightError);
      const { host } = new URL(target.config.server);
      assert.equal(warnings.length, 2, warnings.join('\n'));
      for (const resource of ['pods', 'secrets']) {
        const start = `informer "${resource}" cannot (list|watch) from ${host}, next attempt in`;
        assert.ok(
          warnings.some((line) => new RegExp(start).test(line)),
          warnings.join('\n'),
        );
      }
    });

    it('rejects immediately from the function, for an informer and for a handler', async () => {
      await using target = await start();
      await using client = new Clientset({ ...target.config, logger: silentLogger });
      const informer = new SharedIndexInformer<CachedObject>({
        listerWatcher: new ListWatch(client.coreV1.pods()),
      });
      const registration = informer.addEventHandler({});
      const running = informer.run({ signal: new AbortController().signal });
      await using _stop = { [Symbol.asyncDispose]: () => informer.stop() };
      await assert.rejects(waitForCacheSync([informer], { signal: inTime() }), isRightError);
      await assert.rejects(waitForCacheSync([registration], { signal: inTime() }), isRightError);
      await informer.stop();
      await running;
    });

    it('rejects immediately from waitFor', async () => {
      await using target = await start();
      await using client = new Clientset({ ...target.config, logger: silentLogger });
      const pods = client.coreV1.pods('default');
      await assert.rejects(
        waitFor(pods, 'web', conditions.podReady, { signal: inTime() }),
        (error) => {
          assert.ok(error instanceof ClientError, String(error));
          assert.equal(error.code, code ?? error.code);
          assert.equal(error.retry, 'never');
          return true;
        },
      );
    });

    it('rejects immediately from runController', async () => {
      await using target = await start();
      await using client = new Clientset({ ...target.config, logger: silentLogger });
      const informer = new SharedIndexInformer<CachedObject>({
        listerWatcher: new ListWatch(client.coreV1.pods()),
      });
      const running = runController({
        informers: [informer],
        queue: new RateLimitingQueue<string>(),
        reconcile: () => undefined,
        signal: inTime(),
      });
      await assert.rejects(running, isRightError);
    });
  });
}
