import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import zlib from 'node:zlib';

/** Counts how often a synchronous read decompresses an object. Objects that are kept as they came need none. */
export function decompressionsOf(read: () => unknown): number {
  const { mock: seen } = mock.method(zlib, 'inflateRawSync');
  syncBuiltinESMExports();
  try {
    read();
    return seen.callCount();
  } finally {
    seen.restore();
    syncBuiltinESMExports();
  }
}
