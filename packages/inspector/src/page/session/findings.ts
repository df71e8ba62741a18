import { formatCount, formatDuration } from './format.ts';
import type { ControllerView, InformerView, Machine } from './machine.ts';
import { informerLevel, type Level, queueLevel } from './picture.ts';

/** Something that a person should look at. */
export interface Finding {
  readonly level: Level;
  /** In a word or two. */
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly href: string;
}

/** How long an old warning is shown. */
const WARNING_MS = 60_000;

/** What needs attention, the worst first. */
export function findingsOf(machine: Machine, at: number): readonly Finding[] {
  const findings = [
    ...machine.problems.map(({ subject, text }): Finding => {
      return { level: 'bad', kind: subject, title: text, text: '', href: '#/timeline' };
    }),
    ...[...machine.informers.values()].flatMap((view) => informerFindings(view, at)),
    ...[...machine.controllers.values()].flatMap((view) => controllerFindings(view, at)),
  ];
  return findings.toSorted((left, right) => rank(left.level) - rank(right.level));
}

function rank(level: Level): number {
  return ['bad', 'warn', 'ok', 'idle'].indexOf(level);
}

function informerFindings(view: InformerView, at: number): Finding[] {
  const found: Finding[] = [];
  const href = `#/informers/${encodeURIComponent(view.id)}`;
  const level = informerLevel(view);
  if (level === 'bad' || level === 'warn') {
    const since = view.since === undefined ? '' : ` for ${formatDuration(at - view.since)}`;
    found.push({
      level,
      kind: view.state,
      title: view.id,
      href,
      text: view.reason ?? `informer is ${view.state}${since}`,
    });
  }
  for (const { name, pending } of view.handlers) {
    if (pending <= 100) continue;
    found.push({
      level: pending > 1000 ? 'bad' : 'warn',
      kind: 'slow handler',
      title: name,
      href,
      text: `${formatCount(pending)} changes of ${view.id} wait for it`,
    });
  }
  return found;
}

function controllerFindings(view: ControllerView, at: number): Finding[] {
  const found: Finding[] = [];
  const href = `#/queues/${encodeURIComponent(view.id)}`;
  const { queue } = view;
  const level = queueLevel(view);
  if (queue !== undefined && (level === 'bad' || level === 'warn')) {
    found.push({
      level,
      kind: 'backlog',
      title: view.id,
      href,
      text: `${formatCount(queue.depth)} keys wait, the oldest for ${formatDuration(queue.oldestMs)}`,
    });
  }
  const failing = [...view.keys.values()].filter(({ failures }) => failures > 0);
  for (const { key, failures, lastError } of failing
    .toSorted((left, right) => right.failures - left.failures)
    .slice(0, 5)) {
    found.push({
      level: failures > 3 ? 'bad' : 'warn',
      kind: 'failing',
      title: `${view.id}: ${key}`,
      text: `failed ${failures === 1 ? 'once' : `${failures} times in a row`}: ${lastError ?? 'no message'}`,
      href: `${href}/${encodeURIComponent(key)}`,
    });
  }
  for (const warning of view.warnings.filter((warning) => at - warning.at < WARNING_MS)) {
    found.push({
      level: 'bad',
      kind: warning.kind,
      title: `${view.id}: ${warning.key}`,
      text: warning.message,
      href: `${href}/${encodeURIComponent(warning.key)}`,
    });
  }
  return found;
}
