import { type TestBed, testBed, type TestBedOptions } from './bed.ts';

type Hook = (run: () => Promise<void>) => unknown;

/**
 * The hooks of a test runner: those of `node:test` (`before`, `after`), or of Vitest and Jest
 * (`beforeAll`, `afterAll`).
 */
export type TestHooks = {
  /** Given: every test begins with the seeds. Leave it out if tests run concurrently. */
  readonly beforeEach?: Hook | undefined;
} & (
  | { readonly before: Hook; readonly after: Hook }
  | { readonly beforeAll: Hook; readonly afterAll: Hook }
);

/**
 * Starts a bed before the tests of a file or suite and closes it after them, with the hooks of any
 * test runner. Returns a function that returns the bed; call it in tests and hooks.
 *
 * ```ts
 * import { after, before, beforeEach, test } from 'node:test';
 *
 * const bed = useTestBed({ before, after, beforeEach }, { crds: ['crds/*.yaml'] });
 * test('starts empty', async () => void (await bed().client.coreV1.pods('default').list()));
 * ```
 */
export function useTestBed(hooks: TestHooks, options: TestBedOptions = {}): () => TestBed {
  const { beforeEach } = hooks;
  const [before, after] =
    'before' in hooks ? [hooks.before, hooks.after] : [hooks.beforeAll, hooks.afterAll];
  let bed: TestBed | undefined;
  before(async () => {
    bed = await testBed(options);
  });
  after(async () => {
    await bed?.close();
    bed = undefined;
  });
  beforeEach?.(async () => {
    await bed?.reset();
  });
  return () => {
    if (bed === undefined) throw new TypeError('the test bed is there in tests and hooks only');
    return bed;
  };
}
