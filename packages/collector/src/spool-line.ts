import { crc32 } from 'node:zlib';
import { isJsonObject } from 'client-ts/internal';
import type { CollectedEvent } from './collected-event.ts';

/** What a segment of the spool holds, and how much of it cannot be read. */
export interface SegmentContent {
  readonly events: readonly CollectedEvent[];
  /** Lines that were complete once and are not what was written. */
  readonly damagedLines: number;
}

/** An event as a line of a segment: a checksum, and the event as JSON. */
export function spoolLine(event: CollectedEvent): string {
  const json = JSON.stringify(event);
  return `${checksum(json)} ${json}\n`;
}

/**
 * Reads a segment. A last line without an end is left out: the process was killed while it wrote, and
 * never counted that line as safe. `receivedAt` is for lines of versions that did not write it.
 */
export function readSegment(content: Buffer, receivedAt: string): SegmentContent {
  const lines = content.toString('utf8').split('\n').slice(0, -1);
  const events = lines.map((line) => parseLine(line, receivedAt));
  const readable = events.filter((event) => event !== undefined);
  return { events: readable, damagedLines: events.length - readable.length };
}

function parseLine(line: string, receivedAt: string): CollectedEvent | undefined {
  // Before there were checksums, a line was only JSON.
  const hasChecksum = !line.startsWith('{');
  const json = hasChecksum ? line.slice(9) : line;
  if (hasChecksum && line.slice(0, 9) !== `${checksum(json)} `) return undefined;
  try {
    const event: unknown = JSON.parse(json);
    if (!isJsonObject(event) || typeof event['uid'] !== 'string') return undefined;
    return { receivedAt, createdAt: receivedAt, ...event } as unknown as CollectedEvent;
  } catch {
    return undefined;
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
