import { errorChain } from '../lib/errors.ts';

/**
 * Returns true for an error that the JavaScript engine throws because the code is wrong, which is what
 * a panic is in Go: reading a property of undefined, calling what is not a function, endless recursion.
 * Causes are searched too, because handlers and workers wrap what they catch.
 */
export function isFaultOfCode(error: unknown): boolean {
  for (const link of errorChain(error)) if (isThrownByEngine(link)) return true;
  return false;
}

/** Node and `fetch` use the same classes for input from outside, with a code or a cause. */
function isThrownByEngine(error: unknown): boolean {
  const isFault =
    error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  return isFault && !('code' in error) && !('cause' in error);
}
