import type { BooleanFlag, ListFlag } from './flags.ts';

/** The flags of commands that print tables. */
export interface LabelColumnFlags {
  readonly 'show-labels': BooleanFlag;
  readonly 'label-columns': ListFlag;
}

/** kubectl's label flags. */
export const labelColumnFlags: LabelColumnFlags = {
  'show-labels': { type: 'boolean', about: 'show all labels in the last column' },
  'label-columns': {
    type: 'list',
    short: 'L',
    commas: true,
    value: 'LABELS',
    about: 'show a column for each of these labels',
  },
};
