import type { CommandContext } from './command.ts';

/** For tests: a context that keeps what a command wrote. */
export interface TestContext extends CommandContext {
  readonly output: readonly string[];
  readonly errors: readonly string[];
}

/** For tests: a context without a terminal, an environment or a home. */
export function testContext(overrides: Partial<CommandContext> = {}): TestContext {
  const output: string[] = [];
  const errors: string[] = [];
  return {
    output,
    errors,
    out: (line) => output.push(line),
    err: (line) => errors.push(line),
    readInput: () => Promise.resolve(''),
    env: {},
    homeDirectory: '/nowhere',
    signal: new AbortController().signal,
    ...overrides,
  };
}
