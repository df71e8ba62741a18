import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
  ResourcePolicyRule,
  Subject,
} from 'client-ts/api/flowcontrol/v1';
import type { DeepReadonly, RequestInfo } from 'client-ts/meta';

import { coversPath } from '../auth/rbac.ts';
import { parseServiceAccountUsername, type UserInfo } from '../auth/user.ts';
import type { Store } from '../store/store.ts';

const GROUP = 'flowcontrol.apiserver.k8s.io';
const SCHEMAS = `/${GROUP}/flowschemas/`;
const LEVELS = `/${GROUP}/prioritylevelconfigurations/`;

/** The response headers of a class of requests. */
type FlowHeaders = Readonly<Record<string, string>>;

/** How many requests a FlowSchema has sent to a priority level. */
export interface FlowCount {
  readonly schema: string;
  readonly level: string;
  readonly count: number;
}

interface Flow {
  readonly precedence: number;
  readonly name: string;
  readonly rules: DeepReadonly<PolicyRulesWithSubjects[]>;
  readonly level: string;
  readonly headers: FlowHeaders;
  /** Requests since the counts were taken. */
  count: number;
}

/**
 * Finds the FlowSchema and priority level of a request, for response headers. Nothing is
 * queued or rejected.
 */
export class FlowClassifier {
  readonly #store: Store;
  /** In the order in which they are tried; undefined after a change. */
  #flows: readonly Flow[] | undefined;
  /** The counts of flows before the last change. */
  #counts: FlowCount[] = [];

  constructor(store: Store) {
    this.#store = store;
    for (const prefix of [SCHEMAS, LEVELS]) {
      store.subscribe(prefix, () => {
        this.#counts = this.takeCounts();
        this.#flows = undefined;
      });
    }
  }

  /** Returns the headers for a request; none if no FlowSchema matches. */
  headersFor(user: UserInfo, info: RequestInfo): FlowHeaders {
    this.#flows ??= this.#read();
    const flow = this.#flows.find(({ rules }) => rules.some((rule) => matches(rule, user, info)));
    if (flow === undefined) return NO_HEADERS;
    flow.count += 1;
    return flow.headers;
  }

  /** Returns the numbers of requests since the last call. */
  takeCounts(): FlowCount[] {
    const counts = this.#counts;
    this.#counts = [];
    for (const flow of this.#flows ?? []) {
      const { name, level, count } = flow;
      if (count > 0) counts.push({ schema: name, level, count });
      flow.count = 0;
    }
    return counts;
  }

  /** Returns all priority levels. */
  levels(): DeepReadonly<PriorityLevelConfiguration>[] {
    return this.#store
      .range({ prefix: LEVELS })
      .map(({ value }) => value as DeepReadonly<PriorityLevelConfiguration>);
  }

  #read(): readonly Flow[] {
    const flows = this.#store.range({ prefix: SCHEMAS }).flatMap(({ value }): Flow[] => {
      const { metadata, spec } = value as DeepReadonly<FlowSchema>;
      const level = this.#store.get(LEVELS + (spec?.priorityLevelConfiguration.name ?? ''))
        ?.value as DeepReadonly<PriorityLevelConfiguration> | undefined;
      if (level === undefined) return [];
      return [
        {
          precedence: spec?.matchingPrecedence ?? 1000,
          name: metadata?.name ?? '',
          rules: spec?.rules ?? [],
          level: level.metadata?.name ?? '',
          count: 0,
          headers: {
            'x-kubernetes-pf-flowschema-uid': metadata?.uid ?? '',
            'x-kubernetes-pf-prioritylevel-uid': level.metadata?.uid ?? '',
          },
        },
      ];
    });
    return flows.sort(
      (left, right) => left.precedence - right.precedence || (left.name < right.name ? -1 : 1),
    );
  }
}

const NO_HEADERS: FlowHeaders = {};

function matches(
  { subjects, resourceRules = [], nonResourceRules = [] }: DeepReadonly<PolicyRulesWithSubjects>,
  user: UserInfo,
  info: RequestInfo,
): boolean {
  if (!(subjects ?? []).some((subject) => isSubject(subject, user))) return false;
  return info.isResourceRequest
    ? resourceRules.some((rule) => matchesResource(rule, info))
    : nonResourceRules.some((rule) => matchesPath(rule, info));
}

function isSubject(subject: DeepReadonly<Subject>, user: UserInfo): boolean {
  const { group, serviceAccount } = subject;
  switch (subject.kind) {
    case 'User':
      return subject.user?.name === '*' || subject.user?.name === user.name;
    case 'Group':
      return group?.name === '*' || user.groups.includes(group?.name ?? '');
    case 'ServiceAccount': {
      const account = parseServiceAccountUsername(user.name);
      return (
        account !== undefined &&
        account.namespace === serviceAccount?.namespace &&
        (serviceAccount.name === '*' || serviceAccount.name === account.name)
      );
    }
    default:
      return false;
  }
}

function matchesResource(
  {
    verbs,
    apiGroups,
    resources,
    namespaces,
    clusterScope = false,
  }: DeepReadonly<ResourcePolicyRule>,
  { verb, group, resource, subresource, namespace }: RequestInfo,
): boolean {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    includes(verbs, verb) &&
    includes(apiGroups, group) &&
    includes(resources, full) &&
    (namespace === '' ? clusterScope : includes(namespaces ?? [], namespace))
  );
}

function matchesPath(
  { verbs, nonResourceURLs }: DeepReadonly<NonResourcePolicyRule>,
  { verb, path }: RequestInfo,
): boolean {
  return includes(verbs, verb) && nonResourceURLs.some((allowed) => coversPath(allowed, path));
}

function includes(values: readonly string[], wanted: string): boolean {
  return values.includes('*') || values.includes(wanted);
}
