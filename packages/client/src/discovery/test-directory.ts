import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory for one test. */
export interface TestDirectory extends AsyncDisposable {
  readonly path: string;
}

/** Makes an empty directory that is gone when the test is over. */
export async function testDirectory(): Promise<TestDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'client-ts-discovery-'));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
