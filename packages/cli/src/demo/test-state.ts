import { type DemoState, noPods } from './state.ts';

export const nowMs: number = Date.UTC(2026, 0, 1, 12);

/** A cluster with some of everything. */
export function demoState(parts: Partial<DemoState> = {}): DemoState {
  return {
    title: 'simulated cluster at https://127.0.0.1:6443',
    nowMs,
    elapsedMs: 83_000,
    nodes: [
      { name: 'node-1', counts: { ...noPods, running: 9 }, note: '' },
      { name: 'node-2', counts: { running: 5, starting: 2, failing: 1, terminating: 1 }, note: '' },
      { name: 'node-10', counts: noPods, note: 'cordoned' },
    ],
    unscheduled: { ...noPods, starting: 2 },
    totals: { running: 14, starting: 4, failing: 1, terminating: 1 },
    events: { seen: 312, perSecond: 4.25, history: [0, 1, 2, 4, 8, 4, 2] },
    warnings: [
      {
        atMs: nowMs - 12_000,
        reason: 'BackOff',
        object: 'pod/web-abc-12345',
        message: 'Back-off restarting failed container web',
        count: 3,
      },
      {
        atMs: nowMs - 300_000,
        reason: 'FailedScheduling',
        object: 'pod/api-abc-54321',
        message: '0/3 nodes are available: 3 Too many pods.',
        count: 1,
      },
    ],
    informers: [
      { name: 'pods', state: 'live', isLive: true, objects: 20 },
      { name: 'nodes', state: 'live', isLive: true, objects: 3 },
      { name: 'events', state: 'live', isLive: true, objects: 312 },
    ],
    queues: [
      { name: 'simulation', depth: 2 },
      { name: 'collector', depth: 0 },
    ],
    collection: { place: '.client-ts/events.db', written: 310, dropped: 0 },
    inspector: '',
    hint: 'kubectl --kubeconfig .kube/client-ts.kubeconfig get pods --namespace shop',
    ...parts,
  };
}
