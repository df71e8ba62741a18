import type { BooleanFlag, ChoiceFlag, ListFlag } from './flags.ts';

/** The flags of commands that read manifests. */
export interface FileFlags {
  readonly filename: ListFlag;
  readonly recursive: BooleanFlag;
}

/** `-f` and `-R`. */
export const fileFlags: FileFlags = {
  filename: {
    type: 'list',
    short: 'f',
    value: 'FILE',
    about: 'YAML or JSON file, folder, or - for standard input',
    complete: 'file',
  },
  recursive: { type: 'boolean', short: 'R', about: 'read the folders below a folder too' },
};

/** `--dry-run`. There is no client-side one: the server knows best. */
export const dryRunFlag: ChoiceFlag & { readonly default: string } = {
  type: 'choice',
  value: 'MODE',
  choices: ['none', 'server'],
  default: 'none',
  about: 'server: check the request and change nothing',
};

/** `--server-side`, which is the only way here: accepted, so that lines for kubectl work. */
export const serverSideFlag: BooleanFlag & { readonly default: boolean } = {
  type: 'boolean',
  default: true,
  about: 'apply on the server; always the case',
};
