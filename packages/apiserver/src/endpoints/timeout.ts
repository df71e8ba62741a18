import { newBadRequest } from 'client-ts/meta';

import { durationProblem } from '../validation/go-duration.ts';

/**
 * Checks the `timeout` that clients may put into any request. Requests here are answered at once or
 * are watches with a time-out of their own, so a good value changes nothing.
 */
export function checkTimeout(text: string | null): void {
  if (text === null || text === '') return;
  const problem = durationProblem(text);
  if (problem === undefined) return;
  throw newBadRequest(`invalid timeout specified in the request URL - ${problem}`);
}
