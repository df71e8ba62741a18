import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import { guardWarnings } from '../../observe/guard-warnings.ts';
import type { MetricsRegistry } from '../../observe/metrics-registry.ts';
import type { EventRecorder } from '../../record/event-recorder.ts';
import type { EventSubject } from '../../record/reference.ts';
import { LoopGuard, type LoopGuardOptions } from './loop-guard.ts';
import { describeLoop, writersOf } from './loop-warning.ts';

/** What a controller gives to its guard. */
export interface ReportedGuardSettings {
  readonly controller: string;
  readonly fieldManager: string;
  readonly options: LoopGuardOptions;
  readonly clock: Clock;
  /** With the name of the controller. */
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly recorder: EventRecorder;
  /** Returns the object of a key; undefined if it is gone. */
  readonly subjectOf: (key: string) => EventSubject | undefined;
}

/** If all objects of a kind loop, the first of them stand for the rest. */
const MAX_WARNINGS = 10;

const REASONS = { 'hot-loop': 'HotLoop', 'writer-fight': 'WriterFight' } as const;

/**
 * Returns a guard that reports each loop when it begins and when it is over: as a warning in the log, as
 * an event about the object, in the metrics `client_ts_loop_guard_warnings_total` and
 * `client_ts_loop_guard_slowed_keys`, and on the channel `client-ts:guard:warning`. From the eleventh loop of a controller at a time, the log has
 * them at `debug`.
 */
export function reportedGuard(settings: ReportedGuardSettings): LoopGuard {
  const { controller, fieldManager, options, clock, logger, recorder, subjectOf } = settings;
  const { warnings, slowed } = guardMetrics(settings.metrics, controller);
  const warned = new Set<string>();
  const guard: LoopGuard = new LoopGuard({
    ...options,
    fieldManager,
    clock,
    onBegin: (key, loop) => {
      const message = describeLoop(loop);
      warnings(loop.kind).inc();
      slowed.set(guard.slowed);
      if (warned.size < MAX_WARNINGS) warned.add(key);
      const text = `${key}: ${message}; its reconciles are delayed while this lasts`;
      logger[warned.has(key) ? 'warn' : 'debug'](text, {
        event: 'controller.loop.started',
        key,
        kind: loop.kind,
      });
      const subject = attempt(() => subjectOf(key));
      if (subject !== undefined) recorder.event(subject, 'Warning', REASONS[loop.kind], message);
      if (!guardWarnings.hasSubscribers) return;
      const fields = [...new Set(loop.fields.map(({ path }) => path))];
      const { kind } = loop;
      guardWarnings.publish({ kind, controller, key, message, fields, writers: writersOf(loop) });
    },
    onEnd: (key, { kind }, delayed) => {
      slowed.set(guard.slowed);
      const what = kind === 'hot-loop' ? 'the hot loop' : 'the fight with another writer';
      const text = `${key}: ${what} is over; reconciles delayed: ${delayed}`;
      const level = warned.delete(key) ? 'warn' : 'debug';
      logger[level](text, { event: 'controller.loop.ended', key, kind });
    },
  });
  return guard;
}

/** A cache that cannot be read costs the event, and not the reconcile. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function guardMetrics(registry: MetricsRegistry, controller: string) {
  const totals = registry.counter({
    name: 'client_ts_loop_guard_warnings_total',
    help: 'Number of loops that the guard has noticed, by controller and kind.',
    labelNames: ['controller', 'kind'],
  });
  const warnings = (kind: keyof typeof REASONS) => totals.labels({ controller, kind });
  // At zero from the start, so that the first one is an increase.
  for (const kind of ['hot-loop', 'writer-fight'] as const) warnings(kind);
  const slowed = registry
    .gauge({
      name: 'client_ts_loop_guard_slowed_keys',
      help: 'Number of objects whose reconciles are slowed down, by controller.',
      labelNames: ['controller'],
    })
    .labels({ controller });
  slowed.set(0);
  return { warnings, slowed };
}
