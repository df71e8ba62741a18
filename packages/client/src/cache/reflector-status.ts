import type { FailureKind } from './reflector-failure.ts';

/** How a {@link Reflector} stands to the server. Times are milliseconds since the epoch. */
export type ReflectorStatus =
  /** It was not run yet. */
  | { readonly state: 'starting' }
  /** The first state is on its way; so many objects have come. */
  | { readonly state: 'syncing'; readonly received: number }
  /** The store follows the server. */
  | { readonly state: 'live'; readonly resourceVersion: string }
  /** The store does not follow the server, because of an error; it is being tried again. */
  | { readonly state: 'stale'; readonly since: number; readonly error: unknown }
  /** The server does not allow it. It is being tried again, as rights may be granted. */
  | {
      readonly state: 'denied';
      readonly since: number;
      readonly verb: 'list' | 'watch';
      readonly error: unknown;
    }
  /** The server has no such resource. It is being tried again, as it may get one. */
  | { readonly state: 'absent'; readonly since: number; readonly error: unknown }
  /**
   * It fails with an error that time does not mend, such as an untrusted certificate: the
   * configuration or the server must be corrected. It is being tried again, slowly.
   */
  | {
      readonly state: 'blocked';
      readonly since: number;
      readonly verb: 'list' | 'watch';
      readonly error: unknown;
    }
  | { readonly state: 'stopped' };

/** The status after a failure. */
export function statusAfter(
  {
    error,
    kind,
    isBlocked,
    verb,
  }: {
    readonly error: unknown;
    readonly kind: FailureKind;
    readonly isBlocked: boolean;
    readonly verb: 'list' | 'watch';
  },
  since: number,
): ReflectorStatus {
  if (kind === 'denied') return { state: 'denied', since, verb, error };
  if (isBlocked) return { state: 'blocked', since, verb, error };
  return { state: kind === 'absent' ? 'absent' : 'stale', since, error };
}
