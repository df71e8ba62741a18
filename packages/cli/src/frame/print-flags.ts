import type { BooleanFlag, ListFlag } from './flags.ts';

/** The flags of commands that print tables of objects. */
export interface LabelColumnFlags {
  readonly 'show-labels': BooleanFlag;
  readonly 'label-columns': ListFlag;
}

/** Which labels a table shows, in the words of kubectl. */
export const labelColumnFlags: LabelColumnFlags = {
  'show-labels': { type: 'boolean', about: 'a last column with all labels' },
  'label-columns': {
    type: 'list',
    short: 'L',
    commas: true,
    value: 'LABELS',
    about: 'a column for each of these labels',
  },
};
