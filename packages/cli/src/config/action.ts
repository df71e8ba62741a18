import type { CommandContext } from '../frame/context.ts';

/** The flags of `client-ts config`. */
export interface ConfigFlags {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly output: string | undefined;
  readonly 'no-headers': boolean;
  readonly current: boolean;
  readonly cluster: string | undefined;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
  readonly raw: boolean;
  readonly minify: boolean;
  readonly flatten: boolean;
}

/** The call of a subcommand. */
export interface ConfigCall {
  readonly names: readonly string[];
  readonly flags: ConfigFlags;
}

/** A subcommand of `client-ts config`. */
export interface ConfigAction {
  /** The least and the most names after it. */
  readonly names: readonly [least: number, most: number];
  /** The flags that it accepts, besides `--kubeconfig`. */
  readonly flags: readonly (keyof ConfigFlags)[];
  run(call: ConfigCall, context: CommandContext): Promise<void>;
}

/** Subcommands by name. */
export type ConfigActions = ReadonlyMap<string, ConfigAction>;
