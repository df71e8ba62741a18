import { type DemoState, totalOf, type WarningLine } from './state.ts';
import { clockTime, oneLine } from './text.ts';

/** Formats the state as one line, for logs. */
export function renderPlain(state: DemoState): string {
  const { elapsedMs, events, homeless, nodes, queues, totals } = state;
  const { running, starting, failing } = totals;
  const places = nodes.map(({ name, counts }) => `${name}=${totalOf(counts)}`);
  if (totalOf(homeless) > 0) places.push(`none=${totalOf(homeless)}`);
  const waiting = queues.reduce((sum, { depth }) => sum + depth, 0);
  const ill = state.informers.filter(({ isWell }) => !isWell);
  const parts = [
    `${clockTime(elapsedMs)} pods: ${running} running, ${starting} starting, ${failing} failing`,
    places.length === 0 ? 'no nodes' : places.join(' '),
    `events: ${events.seen}, ${events.perSecond.toFixed(1)}/s`,
    `waiting: ${waiting}`,
    ...ill.map(({ name, state: problem }) => `${name}: ${oneLine(problem)}`),
  ];
  return parts.join(' | ');
}

/** Formats a warning as one line. */
export function renderWarning({ count, message, object, reason }: WarningLine): string {
  const times = count > 1 ? ` (×${count})` : '';
  return `Warning ${oneLine(reason)} ${oneLine(object)}: ${oneLine(message)}${times}`;
}
