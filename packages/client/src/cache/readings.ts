import { messageOf } from '../lib/errors.ts';
import type { Reading } from './diagnostics.ts';
import type { MachineEvent, MachineOperation } from './reflector-machine.ts';

/** Follows a reflector and says what it reads, and why. */
export class Readings {
  #reason = 'first list';
  #isFirst = true;

  /** Returns what the next operation begins to read; undefined if that is nothing new. */
  next(event: MachineEvent, operation: MachineOperation): Reading | undefined {
    this.#reason = reasonOf(event) ?? this.#reason;
    const reading = readingOf(operation, event);
    if (reading === undefined) return undefined;
    const isFirst = this.#isFirst && reading.how !== 'watch';
    this.#isFirst = false;
    return { ...reading, reason: this.#reason, isFirst };
  }
}

/** Returns undefined for an event that gives no reason of its own. */
function reasonOf(event: MachineEvent): string | undefined {
  switch (event.type) {
    case 'list-failed':
    case 'open-failed':
    case 'resync-failed':
      return messageOf(event.error);
    case 'stream-silent':
      return 'the server does not send the end of a streamed state';
    case 'watch-ended': {
      const { error, durationMs } = event.watch;
      if (error !== undefined) return messageOf(error);
      return `the watch ended after ${Math.round(durationMs / 1000)} s`;
    }
    default:
      return undefined;
  }
}

function readingOf(
  operation: MachineOperation,
  event: MachineEvent,
): Pick<Reading, 'how' | 'resourceVersion'> | undefined {
  const { type } = operation;
  // The watch after a list is part of it.
  if ((type !== 'list' && type !== 'open') || event.type === 'listed') return undefined;
  const { resourceVersion } = operation;
  if (type === 'list') return { how: 'list', resourceVersion };
  return { how: operation.isInitial ? 'stream' : 'watch', resourceVersion };
}
