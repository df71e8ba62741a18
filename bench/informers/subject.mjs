// What the measured Node programs share: their options, and how they look at themselves.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The options of every measured program, in Go as well. */
export function subjectOptions() {
  const { values } = parseArgs({
    options: {
      kubeconfig: { type: 'string' },
      namespace: { type: 'string' },
      kind: { type: 'string', default: 'pods' },
      objects: { type: 'string', default: '0' },
      handlers: { type: 'string', default: '1' },
      indices: { type: 'string', default: '1' },
      events: { type: 'string', default: '0' },
      'warm-up': { type: 'string', default: '0' },
      touch: { type: 'string', default: '0' },
      'in-process': { type: 'boolean', default: false },
      'index-functions': { type: 'boolean', default: false },
      project: { type: 'boolean', default: false },
      'drop-managed-fields': { type: 'boolean', default: false },
      compress: { type: 'boolean', default: false },
      probe: { type: 'boolean', default: false },
    },
  });
  const number = (name) => Number(values[name]);
  return {
    kubeconfig: values.kubeconfig,
    namespace: values.namespace,
    kind: values.kind,
    inProcess: values['in-process'],
    kept: {
      ...(values.project && { project: ['metadata', 'spec.nodeName', 'status.phase'] }),
      dropManagedFields: values['drop-managed-fields'],
      compress: values.compress,
    },
    indexers: values['index-functions'] ? INDEX_FUNCS : INDEX_PATHS,
    probe: values.probe,
    objects: number('objects'),
    handlers: number('handlers'),
    indices: number('indices'),
    events: number('events'),
    warmUp: number('warm-up'),
    touch: number('touch') > 0,
  };
}

/** Values that objects are looked up by; a run uses the first few. */
const INDEX_PATHS = {
  node: 'spec.nodeName',
  namespace: 'metadata.namespace',
  app: 'metadata.labels.app',
  owner: 'metadata.ownerReferences[*].uid',
  phase: 'status.phase',
};

/** The same as functions, as client-go has them. */
const INDEX_FUNCS = {
  node: (object) => [object.spec?.nodeName ?? ''],
  namespace: (object) => [object.metadata?.namespace ?? ''],
  app: (object) => [object.metadata?.labels?.app ?? ''],
  owner: (object) => (object.metadata?.ownerReferences ?? []).map(({ uid }) => uid),
  phase: (object) => [object.status?.phase ?? ''],
};

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Everything that is still in use, on the heap and in buffers outside of it. Collecting needs a flag, and a
 * Node with a flag of V8 compiles its own modules instead of loading them from its cache: runs that are
 * timed go without.
 */
function liveBytes() {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  collect();
  collect();
  // Shared buffers are in `arrayBuffers`, but not in `external`.
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * The longest turn of the event loop. A loop of immediates sees every turn, but keeps the processor
 * busy: runs that are timed go without. Processor time of the thread leaves out what other programs
 * took.
 */
function turnProbe() {
  const threadMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let last = { wall: performance.now(), cpu: threadMs() };
  let longest = { wall: 0, cpu: 0 };
  let isOn = true;
  const turn = () => {
    const now = { wall: performance.now(), cpu: threadMs() };
    longest = {
      wall: Math.max(longest.wall, now.wall - last.wall),
      cpu: Math.max(longest.cpu, now.cpu - last.cpu),
    };
    last = now;
    if (isOn) setImmediate(turn);
  };
  delay.enable();
  setImmediate(turn);
  return {
    stop: () => {
      isOn = false;
      delay.disable();
      return { stallMs: longest.wall, stallCpuMs: longest.cpu, delayMs: delay.max / 1e6 };
    },
  };
}

const report = (result) => process.stdout.write(`${JSON.stringify(result)}\n`);

/** Counts calls; `reached` resolves at the given number of them. */
function callCounter() {
  let calls = 0;
  let wanted = Infinity;
  let resolveWanted;
  return {
    count: () => {
      calls += 1;
      if (calls === wanted) resolveWanted();
    },
    reached: (number) =>
      new Promise((resolve) => {
        wanted = number;
        resolveWanted = resolve;
        if (calls >= number) resolve();
      }),
  };
}

/** V8 compiles what the imports have made hot on other threads. The program in Go collects its garbage at this point. */
const QUIET_MS = 50;

/**
 * Runs one program. `create` makes an informer that calls `onUpdate` for every later change once for each
 * handler; its `start`, which is measured, resolves when everything has been read and delivered to all handlers.
 * Changes for warming up come before those that are measured, which are sent once the former are reported.
 */
export async function measure({ objects, handlers, warmUp, events, probe }, create) {
  const before = probe ? liveBytes() : 0;
  const probing = probe ? turnProbe() : undefined;
  const updates = callCounter();
  let firstAt;
  const { start, size, change, stop } = create(() => {
    firstAt ??= performance.now();
    updates.count();
  });
  await setTimeout(QUIET_MS);
  const startedAt = performance.now();
  const cpuBefore = cpuMs();
  await start();
  const wallMs = performance.now() - startedAt;
  const usedMs = cpuMs() - cpuBefore;
  if (size() !== objects) throw new Error(`${size()} objects instead of ${objects}`);
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  const stalls = probing?.stop();
  const live = probe ? { liveBytes: liveBytes() - before } : {};
  report({ phase: 'sync', objects, wallMs, cpuMs: usedMs, peakBytes, ...live, ...stalls });
  if (warmUp > 0) {
    change?.(warmUp);
    await updates.reached(warmUp * handlers);
    firstAt = undefined;
    report({ phase: 'warm' });
  }
  if (events > 0) {
    const cpuAtStart = cpuMs();
    change?.(events);
    await updates.reached((warmUp + events) * handlers);
    const seconds = (performance.now() - firstAt) / 1000;
    const used = cpuMs() - cpuAtStart;
    report({ phase: 'watch', events, eventsPerSecond: events / seconds, cpuMs: used });
  }
  await stop();
}
