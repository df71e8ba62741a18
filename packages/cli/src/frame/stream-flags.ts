import type { DurationFlag } from './flags.ts';

/** `--pod-running-timeout`. */
export function podTimeoutFlag(milliseconds: number): DurationFlag & { readonly default: number } {
  return {
    type: 'duration',
    default: milliseconds,
    about: 'how long to wait for a running pod of TYPE/NAME; 0 to fail immediately',
  };
}
