import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { PodStatus } from 'client-ts/api/core/v1';

import { Chance } from './chance.ts';
import type { PodState } from './cluster.ts';
import { brokenTag, stateOf, stepFrom, timeIn } from './pod-lifecycle.ts';
import type { CachedPod } from './cluster.ts';

const now = Date.UTC(2026, 0, 1);
const chance = new Chance(1);

function pod(
  parts: {
    readonly tag?: string;
    readonly name?: string;
    readonly status?: PodStatus;
    readonly isDeleted?: boolean;
  } = {},
): CachedPod {
  const { tag = 'v1', name = 'web-1', status = {}, isDeleted = false } = parts;
  return {
    metadata: {
      name,
      namespace: 'shop',
      uid: 'u1',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(isDeleted && { deletionTimestamp: '2026-01-01T00:00:30Z' }),
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'web', image: `shop/web:${tag}` }] },
    status,
  };
}

/** Runs a pod until a state repeats, and returns what happened. */
function live(start: CachedPod): { states: PodState[]; reasons: string[]; last: CachedPod } {
  const states: PodState[] = [];
  const reasons: string[] = [];
  let current = start;
  for (;;) {
    const state = stateOf(current);
    if (states.includes(state)) return { states: [...states, state], reasons, last: current };
    states.push(state);
    const step = stepFrom(state, current, chance, now);
    if (step === undefined) return { states, reasons, last: current };
    reasons.push(...step.events.map(({ type, reason }) => `${type} ${reason}`));
    current = { ...current, status: { ...current.status, ...step.status } };
  }
}

describe('the lifecycle of a pod', () => {
  it('goes from pulling to running, to a crash, and back', () => {
    const { states, reasons, last } = live(pod());
    assert.deepEqual(states, ['new', 'pulling', 'running', 'crashed', 'running']);
    assert.deepEqual(reasons.slice(0, 4), [
      'Normal Pulling',
      'Normal Pulled',
      'Normal Created',
      'Normal Started',
    ]);
    assert.ok(reasons.includes('Warning BackOff'));
    const [container] = last.status?.containerStatuses ?? [];
    assert.equal(container?.restartCount, 1);
    assert.equal(container.ready, true);
    assert.ok(container.lastState?.terminated);
    assert.equal(last.status?.phase, 'Running');
  });

  it('ends in image pull back-off without an image', () => {
    const { states, reasons, last } = live(pod({ tag: brokenTag }));
    assert.deepEqual(states, ['new', 'pulling', 'unpullable', 'unpullable']);
    assert.deepEqual(reasons, [
      'Normal Pulling',
      'Warning Failed',
      'Warning Failed',
      'Normal BackOff',
      'Warning Failed',
    ]);
    const waiting = last.status?.containerStatuses?.[0]?.state?.waiting;
    assert.equal(waiting?.reason, 'ImagePullBackOff');
  });

  it('ends with termination when deleted', () => {
    const { last: running } = live(pod());
    const { states, reasons } = live({ ...pod({ isDeleted: true }), status: running.status ?? {} });
    assert.deepEqual(states, ['stopping', 'stopped']);
    assert.deepEqual(reasons, ['Normal Killing']);
  });

  it('skips termination before it runs', () => {
    assert.equal(stateOf(pod({ isDeleted: true })), 'stopped');
  });

  it('keeps the time of its Ready condition while ready', () => {
    const first = stepFrom('pulling', pod(), chance, now);
    const ready = first?.status.conditions?.find(({ type }) => type === 'Ready');
    assert.deepEqual(ready, {
      type: 'Ready',
      status: 'True',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    const again = stepFrom('pulling', pod({ status: first?.status ?? {} }), chance, now + 60_000);
    assert.deepEqual(again?.status.conditions, first?.status.conditions);
  });

  it('takes time in each state', () => {
    assert.equal(timeIn('new', pod(), chance), 0);
    assert.equal(timeIn('stopping', pod(), chance), 0);
    for (const state of ['pulling', 'unpullable', 'stopped'] as const) {
      assert.ok(timeIn(state, pod(), chance) >= 500, state);
    }
  });

  it('backs off longer after each crash, up to a limit', () => {
    const after = (restartCount: number): number => {
      const status = { containerStatuses: [{ name: 'web', restartCount }] } as PodStatus;
      return timeIn('crashed', pod({ status }), chance);
    };
    assert.deepEqual([0, 1, 2, 3, 9].map(after), [5000, 10_000, 20_000, 40_000, 40_000]);
  });

  it('runs forever in most cases, and crashes in some', () => {
    const lives = Array.from({ length: 400 }, (_, index) =>
      timeIn('running', pod({ name: `web-${index}` }), chance),
    );
    const mortal = lives.filter((time) => time < Infinity);
    assert.ok(mortal.length > 30 && mortal.length < 90, `${mortal.length}`);
    assert.ok(mortal.every((time) => time >= 5000 && time <= 60_000));
  });
});
