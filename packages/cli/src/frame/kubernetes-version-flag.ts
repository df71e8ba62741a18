import type { KubernetesVersion } from '@client-ts/apiserver';

import type { ChoiceFlag } from './flags.ts';

// Not taken from the server, which only the commands that start one load.
const versions: readonly KubernetesVersion[] = ['1.34', '1.35', '1.36'];

/** The flag of commands that start an embedded server. */
export const kubernetesVersionFlag: ChoiceFlag & {
  readonly choices: readonly KubernetesVersion[];
  readonly default: KubernetesVersion;
} = {
  type: 'choice',
  value: 'VERSION',
  choices: versions,
  default: '1.36',
  about: 'release of Kubernetes whose resources and fields the embedded server has',
  complete: versions,
};
