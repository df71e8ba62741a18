import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
} from 'client-ts/api/apiextensions/v1';
import { jsonEqual, quoteGo } from 'client-ts/internal';
import type { Time } from 'client-ts/meta';

/** Keeps a deleted definition until its custom resources are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** The part of a definition that determines name conflicts. */
export interface NameClaim {
  readonly metadata?: { readonly name?: string };
  readonly spec: { readonly group: string };
  readonly status?: {
    readonly acceptedNames?: {
      readonly plural?: string;
      readonly singular?: string;
      readonly kind?: string;
      readonly listKind?: string;
      readonly shortNames?: readonly string[];
    };
  };
}

type Condition = Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>;

/**
 * Returns the status that a definition should have, given all definitions: which names are
 * accepted, and whether it is established. The first definition to claim a name in a group keeps
 * it; an established definition stays established. Returns the status of `crd` itself if nothing
 * changes.
 */
export function definitionStatus(
  crd: CustomResourceDefinition,
  all: Iterable<NameClaim>,
  now: Time,
): CustomResourceDefinitionStatus {
  const status = crd.status ?? {};
  const others = [...all].filter(
    (other) => other.spec.group === crd.spec.group && other.metadata?.name !== crd.metadata?.name,
  );
  const { names, conflict } = acceptNames(crd, others);
  const accepted: Condition =
    conflict === undefined
      ? {
          type: 'NamesAccepted',
          status: 'True',
          reason: 'NoConflicts',
          message: 'no conflicts found',
        }
      : { type: 'NamesAccepted', status: 'False', ...conflict };
  const conditions = [
    accepted,
    established(status, conflict === undefined),
    ...approval(crd),
  ].reduce(
    (conditions, condition) => withCondition(conditions, condition, now),
    status.conditions ?? [],
  );
  const next: CustomResourceDefinitionStatus = { ...status, conditions, acceptedNames: names };
  return jsonEqual(status, next) ? status : next;
}

/** Returns the conditions with one of them set; its time changes only with its status. */
export function withCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  condition: Condition,
  now: Time,
): CustomResourceDefinitionCondition[] {
  const { type, status, reason = '', message = '' } = condition;
  const old = conditions.find((each) => each.type === type);
  const lastTransitionTime = old?.status === status ? (old.lastTransitionTime ?? now) : now;
  const set = { type, status, lastTransitionTime, reason, message };
  if (old === undefined) return [...conditions, set];
  return conditions.map((each) => (each === old ? set : each));
}

/** The conditions of a definition that is being deleted, which starts with its custom resources. */
export const terminating = {
  pending: {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message:
      'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  },
  inProgress: {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  },
  completed: {
    type: 'Terminating',
    status: 'False',
    reason: 'InstanceDeletionCompleted',
    message: 'removed all instances',
  },
  neverEstablished: {
    type: 'Terminating',
    status: 'False',
    reason: 'NeverEstablished',
    message: 'resource was never established',
  },
} as const;

/** True if the condition of this type is true. */
export function hasCondition(
  { status }: Pick<CustomResourceDefinition, 'status'>,
  type: string,
): boolean {
  return (status?.conditions ?? []).some((each) => each.type === type && each.status === 'True');
}

function established(status: CustomResourceDefinitionStatus, namesAccepted: boolean): Condition {
  const old = (status.conditions ?? []).find(({ type }) => type === 'Established');
  if (old?.status === 'True') return old;
  if (namesAccepted) {
    return {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    };
  }
  return (
    old ?? {
      type: 'Established',
      status: 'False',
      reason: 'NotAccepted',
      message: 'not all names are accepted',
    }
  );
}

const approvalReasons = {
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
  invalid: 'InvalidAnnotation',
  missing: 'MissingAnnotation',
} as const;

function approval(crd: CustomResourceDefinition): Condition[] {
  const found = approvalOf(crd);
  if (found === undefined) return [];
  return [
    {
      type: 'KubernetesAPIApprovalPolicyConformant',
      status: found.state === 'approved' ? 'True' : 'False',
      reason: approvalReasons[found.state],
      message: found.message,
    },
  ];
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** Accepts the free names. Of several conflicts the last one is reported. */
function acceptNames(
  { spec, status }: CustomResourceDefinition,
  others: readonly NameClaim[],
): { names: CustomResourceDefinitionNames; conflict: Conflict | undefined } {
  const wanted = spec.names;
  const had = status?.acceptedNames;
  const claimed = others.map((other) => other.status?.acceptedNames);
  const resources = new Set(
    claimed.flatMap((names) => [names?.plural, names?.singular, ...(names?.shortNames ?? [])]),
  );
  const kinds = new Set(claimed.flatMap((names) => [names?.kind, names?.listKind]));
  let conflict: Conflict | undefined;
  const take = (
    key: 'kind' | 'listKind' | 'plural' | 'singular',
    taken: ReadonlySet<string | undefined>,
  ): string => {
    const name = wanted[key] ?? '';
    if (name === (had?.[key] ?? '') || !taken.has(name)) return name;
    const reason = `${key.charAt(0).toUpperCase()}${key.slice(1)}Conflict`;
    conflict = { reason, message: `${quoteGo(name)} is already in use` };
    return had?.[key] ?? '';
  };
  const plural = take('plural', resources);
  const singular = take('singular', resources);
  const old = had?.shortNames ?? [];
  const busy = (wanted.shortNames ?? []).filter(
    (name) => !old.includes(name) && resources.has(name),
  );
  if (busy.length > 0) {
    const messages = busy.map((name) => `${quoteGo(name)} is already in use`);
    const message = messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
    conflict = { reason: 'ShortNamesConflict', message };
  }
  const kind = take('kind', kinds);
  const listKind = take('listKind', kinds);
  const shortNames = busy.length > 0 ? old : (wanted.shortNames ?? []);
  const categories = wanted.categories ?? [];
  const names = {
    plural,
    ...(singular !== '' && { singular }),
    ...(shortNames.length > 0 && { shortNames }),
    kind,
    ...(listKind !== '' && { listKind }),
    ...(categories.length > 0 && { categories }),
  };
  return { names, conflict };
}

/** The approval of a group of the Kubernetes community, given by annotation. */
export interface Approval {
  readonly state: 'approved' | 'bypassed' | 'invalid' | 'missing';
  readonly annotation: string;
  /** The value of the annotation. */
  readonly text: string;
  readonly message: string;
}

const ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Returns whether a definition in a protected group is approved; undefined for other groups. */
export function approvalOf({ spec, metadata }: CustomResourceDefinition): Approval | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(spec.group ?? '')) return undefined;
  const text = metadata?.annotations?.[ANNOTATION] ?? '';
  const rule = `protected groups must have approval annotation ${quoteGo(ANNOTATION)}`;
  const of = (state: Approval['state'], message: string): Approval => ({
    state,
    annotation: ANNOTATION,
    text,
    message,
  });
  if (text === '') return of('missing', `${rule}, ${SEE}`);
  if (text.startsWith('unapproved')) return of('bypassed', `not approved: ${quoteGo(text)}`);
  if (URL.canParse(text) && new URL(text).host !== '') return of('approved', `approved in ${text}`);
  return of('invalid', `${rule} with either a URL or a reason starting with "unapproved", ${SEE}`);
}
