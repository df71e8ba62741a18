import { sessionLine } from 'client-ts/observe';
import type { Source } from './source.ts';

/**
 * Returns the lines of a session that continue each other: the header, and the records after its state. Older
 * records that are kept are part of that state.
 */
export function* sessionLines({
  header,
  records,
}: Pick<Source, 'header' | 'records'>): Generator<string, void, undefined> {
  yield sessionLine(header);
  for (const record of records.all()) {
    if (record.seq > header.snapshot.seq) yield sessionLine(record);
  }
}
