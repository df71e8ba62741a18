import type { BooleanFlag, DurationFlag, FlagValues, ListFlag, StringFlag } from './flags.ts';

/** The flags of every command that talks to a server. */
export interface ConnectionFlags {
  readonly kubeconfig: StringFlag;
  readonly context: StringFlag;
  readonly cluster: StringFlag;
  readonly user: StringFlag;
  readonly server: StringFlag;
  readonly token: StringFlag;
  readonly 'certificate-authority': StringFlag;
  readonly 'insecure-skip-tls-verify': BooleanFlag;
  readonly 'tls-server-name': StringFlag;
  readonly as: StringFlag;
  readonly 'as-group': ListFlag;
  readonly 'as-uid': StringFlag;
  readonly 'request-timeout': DurationFlag;
}

const section = 'Connection';

/** How to reach a server and as whom, in the words of kubectl. */
export const connectionFlags: ConnectionFlags = {
  kubeconfig: {
    type: 'string',
    value: 'FILE',
    about: 'the kubeconfig to use, instead of $KUBECONFIG or ~/.kube/config',
    section,
    complete: 'file',
  },
  context: {
    type: 'string',
    value: 'NAME',
    about: 'the context of the kubeconfig to use, instead of the current one',
    section,
    complete: 'context',
  },
  cluster: { type: 'string', value: 'NAME', about: 'the cluster of the kubeconfig', section },
  user: { type: 'string', value: 'NAME', about: 'the user of the kubeconfig', section },
  server: {
    type: 'string',
    value: 'URL',
    short: 's',
    about: 'the address of the API server',
    section,
  },
  token: { type: 'string', value: 'TOKEN', about: 'the bearer token to send', section },
  'certificate-authority': {
    type: 'string',
    value: 'FILE',
    about: 'the CA that the certificate of the server must come from',
    section,
    complete: 'file',
  },
  'insecure-skip-tls-verify': {
    type: 'boolean',
    about: 'accept any certificate: whoever is in between can read along',
    section,
  },
  'tls-server-name': {
    type: 'string',
    value: 'NAME',
    about: 'the name that the certificate of the server must be for',
    section,
  },
  as: { type: 'string', value: 'USER', about: 'act as this user', section },
  'as-group': { type: 'list', value: 'GROUP', about: 'act as a member of this group', section },
  'as-uid': { type: 'string', value: 'UID', about: 'act with this UID', section },
  'request-timeout': {
    type: 'duration',
    about: 'give up on a single request after this long; 0 never does',
    default: 0,
    section,
  },
};

/** The connection flags of a call, read. */
export type ConnectionValues = FlagValues<ConnectionFlags>;

/** Where to look, for commands that can look everywhere. */
export interface NamespaceFlags {
  readonly namespace: StringFlag;
  readonly 'all-namespaces': BooleanFlag;
}

/** `-n` and `-A`. */
export const namespaceFlags: NamespaceFlags = {
  namespace: {
    type: 'string',
    value: 'NAME',
    short: 'n',
    about: 'the namespace to look in, instead of that of the context',
    complete: 'namespace',
  },
  'all-namespaces': { type: 'boolean', short: 'A', about: 'look in all namespaces' },
};

/** What to look at. */
export interface SelectorFlags {
  readonly selector: StringFlag;
  readonly 'field-selector': StringFlag;
}

/** `-l` and `--field-selector`. */
export const selectorFlags: SelectorFlags = {
  selector: {
    type: 'string',
    value: 'SELECTOR',
    short: 'l',
    about: "only objects with such labels: app=web,tier!=cache,'env in (test,dev)',!old",
  },
  'field-selector': {
    type: 'string',
    value: 'SELECTOR',
    about: 'only objects with such fields: status.phase=Running,spec.nodeName=node-1',
  },
};
