/** Type tests of `defineErrors`; the build compiles them. */
import { ClientError, defineErrors } from './errors.ts';

const CODES = { DOOR_LOCKED: { retry: 'never' }, LOCKED: { retry: 'never' } } as const;

export class DoorError extends ClientError {
  static {
    defineErrors(this, 'DoorError', 'DOOR', { DOOR_LOCKED: { retry: 'never' } });
    // @ts-expect-error: LOCKED lacks the prefix
    defineErrors(this, 'DoorError', 'DOOR', CODES);
    // @ts-expect-error: there is no such retry
    defineErrors(this, 'DoorError', 'DOOR', { DOOR_LOCKED: { retry: 'sometimes' } });
  }
}
