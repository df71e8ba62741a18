import { newBadRequest } from 'client-ts/meta';

const UNIT = '(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:ns|us|µs|μs|ms|s|m|h)';
const DURATION = new RegExp(`^[+-]?(?:0|(?:${UNIT})+)$`, 'u');

/**
 * Checks the `timeout` that clients may put into any request. Requests here are answered at once or
 * are watches with a time-out of their own, so a good value changes nothing.
 */
export function checkTimeout(text: string | null): void {
  if (text === null || text === '' || DURATION.test(text)) return;
  throw newBadRequest(
    `invalid timeout specified in the request URL - time: invalid duration ${JSON.stringify(text)}`,
  );
}
