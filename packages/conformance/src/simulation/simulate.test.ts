import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMaps, secrets } from 'client-ts/api/core/v1';
import { parseSession } from 'client-ts/observe';
import {
  always,
  builtInInvariants,
  eventually,
  simulate,
  SimulationFailure,
  type SimulateOptions,
} from 'client-ts/testing';

const namespace = 'default';

/** A controller that copies labelled config maps into secrets, and users who change one. */
const copies: Omit<SimulateOptions, 'seed'> = {
  controllers: (manager) =>
    manager.controller('copies', {
      for: { resource: configMaps, namespace, labelSelector: 'copied' },
      owns: [{ resource: secrets, namespace }],
      async reconcile({ metadata, data }, { apply }) {
        await apply(secrets, { metadata: { name: metadata.name }, stringData: { ...data } });
      },
    }),
  world: {
    actions: (random) => {
      const value = String(random.next());
      return [
        {
          name: 'create a',
          atMs: 0,
          run: (client) =>
            client.coreV1.configMaps(namespace).create({
              metadata: { name: 'a', labels: { copied: 'yes' } },
              data: { value: 'first' },
            }),
        },
        {
          name: 'change a',
          run: (client) =>
            client.coreV1.configMaps(namespace).patch('a', { data: { value } }, { type: 'merge' }),
        },
      ];
    },
  },
};

const copied = eventually('the copy is up to date', (state) => {
  const map = state.get(configMaps, { namespace, name: 'a' });
  const secret = state.get(secrets, { namespace, name: 'a' });
  const copy = Buffer.from(secret?.data?.['value'] ?? '', 'base64').toString();
  return copy === map?.data?.['value'] ? undefined : `it is "${copy}"`;
});

describe('simulate', () => {
  it('runs a seed twice in the same way, and another one differently', async () => {
    const first = await simulate({ ...copies, seed: 1 });
    const again = await simulate({ ...copies, seed: 1 });
    const other = await simulate({ ...copies, seed: 2 });
    assert.equal(again.digest, first.digest);
    assert.deepEqual(again.trace, first.trace);
    assert.notEqual(other.digest, first.digest);
  });

  it('finds nothing wrong with a controller that is right', async () => {
    const invariants = [...builtInInvariants(), copied];
    for (let seed = 1; seed <= 20; seed += 1) await simulate({ ...copies, seed, invariants });
  });

  it('reports the smallest history that breaks an invariant', async () => {
    const never = eventually('nothing is copied', (state) =>
      state.list(secrets, { namespace }).map(({ metadata }) => `${metadata?.name} is`),
    );
    const failure = await failureOf({ ...copies, seed: 3, invariants: [never] });
    assert.equal(failure.invariant, 'nothing is copied');
    assert.equal(failure.problem, 'a is');
    assert.equal(failure.smallestSeed, '3:a0');
    assert.match(failure.message, /^seed 3: nothing is copied: a is$/m);
    const again = await failureOf({ ...copies, seed: failure.smallestSeed, invariants: [never] });
    assert.deepEqual(again.trace, failure.trace);
  });

  it('records the session of a failure, with the process of each record', async () => {
    const never = always('no secret is written', (state) => state.list(secrets).map(() => 'one'));
    const faults = [{ kind: 'crash', atMs: 5000, delayMs: 1000 }] as const;
    const failure = await failureOf({ ...copies, faults, seed: 3, invariants: [never] });
    const { header, records } = parseSession(await failure.session());
    assert.equal(header.program, 'simulation, seed 3');
    const reconcile = records.find(({ type }) => type === 'reconcile.start');
    assert.equal(reconcile?.program, 'replica-0-1');
    assert.ok(records.some(({ type }) => type === 'request.end'));
    const notes = records.flatMap((record) =>
      record.type === 'note' ? [`${record.severity} ${record.subject}: ${record.text}`] : [],
    );
    assert.ok(notes.includes('info replica-0-1: starts'), notes.join('\n'));
    assert.equal(notes.at(-1), 'error invariant: no secret is written: one');
    assert.equal(records.at(-1)?.type, 'note');
    const again = parseSession(await failure.session());
    const places = (all: typeof records) => all.map(({ type, program, at }) => [type, program, at]);
    assert.deepEqual(places(again.records), places(records));
  });

  it('refuses what is not a seed', async () => {
    for (const seed of ['x', '1:b0', '-1', 0.5, Number.NaN]) {
      await assert.rejects(simulate({ ...copies, seed }), { code: 'TESTING_SEED' });
    }
  });
});

describe('controllers that do not start', () => {
  it('end the simulation with the error that adding them throws', async () => {
    const cause = new Error('no such file');
    const controllers = (): never => {
      throw cause;
    };
    await assert.rejects(simulate({ ...copies, seed: 1, controllers }), {
      name: 'SimulationError',
      code: 'TESTING_CONTROLLERS',
      message: 'the controllers cannot be added: no such file',
      cause,
    });
    const wrong = { for: { resource: configMaps, namespace }, reconcil: () => undefined };
    const mistyped: SimulateOptions = {
      ...copies,
      seed: 1,
      // As in plain JavaScript.
      controllers: (manager) => void manager.controller('a', wrong as never),
    };
    await assert.rejects(simulate(mistyped), { code: 'TESTING_CONTROLLERS' });
  });

  it('end the simulation with the error of a manager that cannot be created', async () => {
    const manager = { leaderElection: { name: '' } };
    for (const given of [manager, () => manager]) {
      await assert.rejects(simulate({ ...copies, seed: 1, manager: given }), {
        code: 'TESTING_CONTROLLERS',
        message: /^the manager cannot be created: leaderElection\.name: /,
      });
    }
  });

  it('break an invariant if their resource is not served', async () => {
    const names = { group: 'example.com', resource: 'widgets', kind: 'Widget' };
    const widgets = { ...configMaps, ...names };
    const failure = await failureOf({
      ...copies,
      seed: 1,
      faults: [],
      controllers: (manager) =>
        void manager.controller('widgets', {
          for: { resource: widgets, namespace },
          reconcile: () => undefined,
        }),
    });
    assert.equal(failure.invariant, 'starts');
    assert.match(failure.problem, /^replica-0 ends with an error: .*widgets/);
  });
});

async function failureOf(options: SimulateOptions): Promise<SimulationFailure> {
  return await simulate(options).then(
    () => assert.fail('all invariants held'),
    (error: unknown) => {
      assert.ok(error instanceof SimulationFailure, String(error));
      return error;
    },
  );
}
