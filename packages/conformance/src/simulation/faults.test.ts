import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMaps, secrets } from 'client-ts/api/core/v1';
import {
  FAULT_KINDS,
  simulate,
  type SimulatedFault,
  type SimulateOptions,
} from 'client-ts/testing';

const namespace = 'default';

/**
 * Copies a config map into a secret. It reads, updates with a resourceVersion and looks
 * at its wall clock, so that each kind of fault has something to hit.
 */
const controllers: SimulateOptions['controllers'] = (manager, { clock, logger }) =>
  void manager.controller('copies', {
    for: { resource: configMaps, namespace, labelSelector: 'copied' },
    owns: [{ resource: secrets, namespace }],
    async reconcile({ metadata: { name }, data }, { client }) {
      logger.info(`reconciles ${name} at ${clock.now()}`);
      const all = client.coreV1.secrets(namespace);
      const secret = await all.get(name);
      const value = Buffer.from(data?.['value'] ?? '').toString('base64');
      if (secret.data?.['value'] !== value) await all.update({ ...secret, data: { value } });
    },
  });

/** A user who changes the config map from before the fault until after it. */
const world: SimulateOptions['world'] = {
  setUp: async ({ coreV1 }) => {
    const metadata = { name: 'a', labels: { copied: 'yes' } };
    await coreV1.configMaps(namespace).create({ metadata });
    await coreV1.secrets(namespace).create({ metadata });
  },
  actions: () =>
    Array.from({ length: 20 }, (_, index) => ({
      name: `change ${index}`,
      atMs: 500 + index * 300,
      run: ({ coreV1 }) => {
        const patch = { data: { value: String(index) } };
        return coreV1.configMaps(namespace).patch('a', patch, { type: 'merge' });
      },
    })),
};

/** Returns the trace of a run, without the lines that only announce faults. */
async function traceWith(faults: readonly SimulatedFault[]): Promise<readonly string[]> {
  const { trace } = await simulate({ seed: 1, durationMs: 10_000, controllers, world, faults });
  return trace
    .filter(({ who }) => who !== 'fault')
    .map(({ atMs, who, what }) => `${atMs} ${who} ${what}`);
}

describe('faults', () => {
  for (const kind of FAULT_KINDS) {
    it(`of the kind ${kind} change what happens`, async () => {
      const without = await traceWith([]);
      const fault = { kind, atMs: 2000, forMs: 2000, delayMs: 1000 };
      const first = (await traceWith([fault])).find((line, index) => line !== without[index]);
      assert.ok(first !== undefined, 'nothing has changed');
      assert.ok(Number.parseFloat(first) >= 2000, `it has changed before the fault: ${first}`);
    });
  }
});
