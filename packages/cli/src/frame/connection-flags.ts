import type {
  BooleanFlag,
  DurationFlag,
  FlagValues,
  IntegerFlag,
  ListFlag,
  StringFlag,
} from './flags.ts';

/** The flags of commands that connect to a server. */
export interface ConnectionFlags {
  readonly kubeconfig: StringFlag;
  readonly context: StringFlag;
  readonly cluster: StringFlag;
  readonly user: StringFlag;
  readonly server: StringFlag;
  readonly token: StringFlag;
  readonly 'client-certificate': StringFlag;
  readonly 'client-key': StringFlag;
  readonly 'certificate-authority': StringFlag;
  readonly 'insecure-skip-tls-verify': BooleanFlag;
  readonly 'tls-server-name': StringFlag;
  readonly as: StringFlag;
  readonly 'as-group': ListFlag;
  readonly 'as-uid': StringFlag;
  readonly 'request-timeout': DurationFlag;
  readonly v: IntegerFlag;
}

const section = 'Connection';

/** kubectl's connection flags. */
export const connectionFlags: ConnectionFlags = {
  kubeconfig: {
    type: 'string',
    value: 'FILE',
    about: 'kubeconfig file (default: $KUBECONFIG or ~/.kube/config)',
    section,
    complete: 'file',
  },
  context: {
    type: 'string',
    value: 'NAME',
    about: 'kubeconfig context (default: the current one)',
    section,
    complete: 'context',
  },
  cluster: { type: 'string', value: 'NAME', about: 'kubeconfig cluster', section },
  user: { type: 'string', value: 'NAME', about: 'kubeconfig user', section },
  server: {
    type: 'string',
    value: 'URL',
    short: 's',
    about: 'address of the API server',
    section,
  },
  token: { type: 'string', value: 'TOKEN', about: 'bearer token', section },
  'client-certificate': {
    type: 'string',
    value: 'FILE',
    about: 'client certificate',
    section,
    complete: 'file',
  },
  'client-key': {
    type: 'string',
    value: 'FILE',
    about: 'key of the client certificate',
    section,
    complete: 'file',
  },
  'certificate-authority': {
    type: 'string',
    value: 'FILE',
    about: 'CA certificates of the server',
    section,
    complete: 'file',
  },
  'insecure-skip-tls-verify': {
    type: 'boolean',
    about: 'do not verify the certificate of the server (insecure)',
    section,
  },
  'tls-server-name': {
    type: 'string',
    value: 'NAME',
    about: 'server name in the certificate',
    section,
  },
  as: { type: 'string', value: 'USER', about: 'user to impersonate', section },
  'as-group': { type: 'list', value: 'GROUP', about: 'group to impersonate', section },
  'as-uid': { type: 'string', value: 'UID', about: 'UID to impersonate', section },
  'request-timeout': {
    type: 'duration',
    about: 'timeout of a single request; 0 for none',
    default: 0,
    section,
  },
  v: {
    type: 'integer',
    value: 'LEVEL',
    short: 'v',
    about:
      'log requests to standard error: 6 lines, 7 also headers, 8 also the beginning of bodies, 9 whole bodies; without credentials and secrets',
    default: 0,
    section,
  },
};

/** The parsed connection flags. */
export type ConnectionValues = FlagValues<ConnectionFlags>;

/** The namespace flags of commands that can list all namespaces. */
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
    about: 'namespace (default: of the context)',
    complete: 'namespace',
  },
  'all-namespaces': { type: 'boolean', short: 'A', about: 'all namespaces' },
};

/** The selector flags. */
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
    about: "label selector: app=web,tier!=cache,'env in (test,dev)',!old",
  },
  'field-selector': {
    type: 'string',
    value: 'SELECTOR',
    about: 'field selector: status.phase=Running,spec.nodeName=node-1',
  },
};
