// Upstream: pkg/apis/batch/v1/defaults.go: SetDefaults_Job
// Upstream: pkg/apis/batch/validation/validation.go: ValidateJobCreate, ValidateJobUpdate
// Upstream: pkg/registry/batch/job/strategy.go
// Upstream: pkg/api/job/warnings.go
// Upstream: pkg/printers/internalversion/printers.go: printJob
import { checkTemplateSecurity } from '../core/pod/pod-security.ts';
import type * as batch from 'client-ts/api/batch/v1';
import { cloneJson, getKey, jsonEqual } from 'client-ts/internal';
import {
  humanDuration,
  isBeingDeleted,
  isStatusConditionTrue,
  parseTime,
  validateDns1123Label,
} from 'client-ts/meta';
import { type FieldError, invalid, required } from '../../../validation/field-error.ts';
import { matcherOf, printableSelector, validateLabelSelector } from '../../../validation/labels.ts';
import { type Loose, sortedMap } from '../../../validation/loose.ts';
import { FIELD_IS_IMMUTABLE, immutable, metaValidator } from '../../../validation/object-meta.ts';
import {
  ageColumn,
  column,
  containerColumns,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { formatSelector } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpec } from '../support.ts';
import {
  podNameWarning,
  setTemplateDefaults,
  templateWarnings,
  validateSelectorUnchanged,
} from '../workload.ts';
import { validateJobSpec } from './job-spec.ts';
import { isConditionTrue, validateJobStatus } from './job-status.ts';

type Job = Loose<batch.Job>;
type JobSpec = Loose<batch.JobSpec>;
type Template = NonNullable<JobSpec['template']>;

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';
const JOB_NAME = 'batch.kubernetes.io/job-name';
/** The label names without a domain, which are still written beside the new ones. */
const OLD_CONTROLLER_UID = 'controller-uid';
const OLD_JOB_NAME = 'job-name';

const MAX_INT32 = 2 ** 31 - 1;
const SOFT_LIMIT_COMPLETIONS = 100_000;
const SOFT_LIMIT_PARALLELISM = 10_000;

const meta = metaValidator({ namespaced: true });

/** Rules of Jobs. */
export const jobStrategy: Strategy<Job> = {
  check: ({ spec }, _old, context) => checkTemplateSecurity(spec?.template, context),
  setDefaults: (job) => {
    const spec = (job.spec ??= {});
    if (spec.parallelism === undefined) spec.completions ??= 1;
    spec.parallelism ??= 1;
    spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32;
    spec.completionMode ??= 'NonIndexed';
    spec.suspend ??= false;
    spec.podReplacementPolicy ??=
      spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
    spec.manualSelector ??= false;
    setJobSpecDefaults(spec);
    takeLabelsFromTemplate(job);
  },
  prepareForCreate: (job) => {
    generateSelector(job);
    takeLabelsFromTemplate(job);
  },
  validate: (job) => validateJob(job, true),
  validateUpdate: (job, old) => {
    const oldLabels = old.spec?.template?.metadata?.labels ?? {};
    return [
      ...validateJob(job, JOB_NAME in oldLabels && CONTROLLER_UID in oldLabels),
      ...meta.update(job, old),
      ...validateSpec(job.spec ?? {}),
      ...validateSpecUpdate(job.spec ?? {}, old),
    ];
  },
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: (job, old) => [...meta.update(job, old), ...validateJobStatus(job, old)],
  warnings: (job, old) => {
    if (old === undefined) {
      return [...podNameWarning(job.metadata?.name), ...jobSpecWarnings(job.spec ?? {}, 'spec')];
    }
    return jsonEqual(job.spec, old.spec) ? [] : jobSpecWarnings(job.spec ?? {}, 'spec');
  },
  selectableFields: ({ status }) => ({ 'status.successful': String(status?.succeeded ?? 0) }),
  selectableFieldNames: ['metadata.name', 'metadata.namespace', 'status.successful'],
  generation: 'spec',
  // batch/v1 orphans by default, as before the garbage collector existed.
  propagation: 'Orphan',
};

/** Sets the defaults of a Job spec, also in the template of a CronJob. */
export function setJobSpecDefaults(spec: JobSpec): void {
  setTemplateDefaults((spec.template ??= {}));
  for (const { onPodConditions = [] } of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of onPodConditions) pattern.status ||= 'True';
  }
}

/**
 * Gives a Job without labels the labels of its pod template. It is the same object, so labels added
 * later appear in both.
 */
function takeLabelsFromTemplate(job: Job): void {
  const metadata = (job.metadata ??= {});
  const labels = job.spec?.template?.metadata?.labels;
  if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
}

/**
 * Adds the labels and the selector that identify the pods of this Job, unless `manualSelector` is
 * set.
 */
function generateSelector(job: Job): void {
  const { metadata = {}, spec = {} } = job;
  if (spec.manualSelector === true) return;
  const { name = '', uid = '' } = metadata;
  const labels = (((spec.template ??= {}).metadata ??= {}).labels ??= {});
  labels[OLD_JOB_NAME] ??= name;
  labels[JOB_NAME] ??= name;
  labels[OLD_CONTROLLER_UID] ??= uid;
  labels[CONTROLLER_UID] ??= uid;
  const matchLabels = ((spec.selector ??= {}).matchLabels ??= {});
  matchLabels[CONTROLLER_UID] ??= uid;
}

function validateJob(job: Job, requirePrefixed: boolean): FieldError[] {
  const { metadata = {}, spec = {} } = job;
  return [
    ...meta.create(job),
    ...validateGeneratedSelector(job, requirePrefixed),
    ...validateSpec(spec),
    ...validateHostnames(metadata.name ?? '', spec),
  ];
}

/** Checks that the generated hostnames of an indexed Job are valid. */
function validateHostnames(
  name: string,
  { completionMode, completions = 0 }: JobSpec,
): FieldError[] {
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const last = `${name}-${completions - 1}`;
  if (validateDns1123Label(last).length === 0) return [];
  const detail = `will not able to create pod with invalid DNS label: ${last}`;
  return [invalid('metadata.name', name, detail)];
}

function validateGeneratedSelector(job: Job, requirePrefixed: boolean): FieldError[] {
  const { metadata = {}, spec = {} } = job;
  const { selector, template } = spec;
  if (spec.manualSelector === true || selector === undefined) return [];
  const { name = '', uid = '' } = metadata;
  const expected = {
    [OLD_CONTROLLER_UID]: uid,
    [OLD_JOB_NAME]: name,
    ...(requirePrefixed && { [CONTROLLER_UID]: uid, [JOB_NAME]: name }),
  };
  const matcher = matcherOf(selector);
  return [
    ...(uid === '' ? [required('metadata.uid')] : []),
    ...Object.entries(expected).flatMap(([key, value]) => validateHasLabel(template, key, value)),
    ...(matcher === undefined || matcher.matches(expected)
      ? []
      : [invalid('spec.selector', printableSelector(selector), '`selector` not auto-generated')]),
  ];
}

function validateHasLabel(
  template: Template | undefined,
  key: string,
  expected: string,
): FieldError[] {
  const labels = template?.metadata?.labels ?? {};
  const field = `spec.template.metadata.labels[${key}]`;
  const label = getKey(labels, key);
  if (label === undefined) return [required(field, `must be '${expected}'`)];
  return label === expected ? [] : [invalid(field, sortedMap(labels), `must be '${expected}'`)];
}

function validateSpec(spec: JobSpec): FieldError[] {
  const { selector } = spec;
  const labels = spec.template?.metadata?.labels;
  const matcher = matcherOf(selector);
  return [
    ...validateJobSpec(spec, 'spec'),
    ...(selector === undefined
      ? [required('spec.selector')]
      : validateLabelSelector(selector, 'spec.selector')),
    ...(matcher === undefined || matcher.matches(labels)
      ? []
      : [
          invalid(
            'spec.template.metadata.labels',
            sortedMap(labels),
            '`selector` does not match template `labels`',
          ),
        ]),
  ];
}

function validateSpecUpdate(spec: JobSpec, old: Job): FieldError[] {
  const { spec: before = {} } = old;
  return [
    ...validateCompletionsUpdate(spec, before),
    ...validateSelectorUnchanged(spec, before),
    ...validateTemplateUpdate(spec.template ?? {}, old),
    ...immutable(spec.completionMode, before.completionMode, 'spec.completionMode'),
    ...immutable(spec.podFailurePolicy, before.podFailurePolicy, 'spec.podFailurePolicy'),
    ...immutable(
      spec.backoffLimitPerIndex,
      before.backoffLimitPerIndex,
      'spec.backoffLimitPerIndex',
    ),
    ...immutable(spec.managedBy, before.managedBy, 'spec.managedBy'),
    ...immutable(spec.successPolicy, before.successPolicy, 'spec.successPolicy'),
  ];
}

/** The completions of an indexed Job may change together with its parallelism. */
function validateCompletionsUpdate(spec: JobSpec, old: JobSpec): FieldError[] {
  const { completions } = spec;
  if (spec.completionMode !== 'Indexed') {
    return immutable(completions, old.completions, 'spec.completions');
  }
  if (completions === undefined || completions === old.completions) return [];
  if (completions === spec.parallelism) return [];
  const detail = 'can only be modified in tandem with spec.parallelism';
  return [invalid('spec.completions', completions, detail)];
}

/** The scheduling directives and resources of a suspended Job that has not started may change. */
function validateTemplateUpdate(template: Template, old: Job): FieldError[] {
  const expected: Template = cloneJson(old.spec?.template ?? {});
  const isWaiting = isChangeable(old);
  if (isWaiting) allowScheduling(expected, template);
  if (!isWaiting) {
    return jsonEqual(template, expected)
      ? []
      : [invalid('spec.template', template, FIELD_IS_IMMUTABLE)];
  }
  allowResources(expected, template, 'containers');
  allowResources(expected, template, 'initContainers');
  return jsonEqual(template.spec, expected.spec)
    ? []
    : [invalid('spec.template.spec', template.spec ?? {}, FIELD_IS_IMMUTABLE)];
}

function isChangeable({ spec = {}, status = {} }: Job): boolean {
  return (
    spec.suspend === true &&
    (status.startTime === undefined || isConditionTrue(status, 'Suspended')) &&
    (status.active ?? 0) === 0
  );
}

function allowScheduling(expected: Template, template: Template): void {
  const target = (expected.spec ??= {});
  const spec = template.spec ?? {};
  const { nodeAffinity: _, ...others } = target.affinity ?? {};
  const nodeAffinity = spec.affinity?.nodeAffinity;
  if (spec.affinity === undefined && Object.keys(others).length === 0) delete target.affinity;
  else target.affinity = { ...others, ...(nodeAffinity && { nodeAffinity }) };
  for (const name of ['nodeSelector', 'tolerations', 'schedulingGates'] as const) {
    if (spec[name] === undefined) delete target[name];
    else Object.assign(target, { [name]: spec[name] });
  }
}

function allowResources(
  expected: Template,
  template: Template,
  list: 'containers' | 'initContainers',
): void {
  const before = expected.spec?.[list] ?? [];
  const after = template.spec?.[list] ?? [];
  if (before.length !== after.length) return;
  for (const [index, container] of before.entries()) {
    const changed = after[index];
    if (changed?.name === container.name && changed?.resources) {
      container.resources = changed.resources;
    }
  }
}

/** Returns the warnings about a Job spec, also in the template of a CronJob. */
export function jobSpecWarnings(spec: JobSpec, at: string): string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec;
  const isHuge =
    completionMode === 'Indexed' &&
    completions > SOFT_LIMIT_COMPLETIONS &&
    parallelism > SOFT_LIMIT_PARALLELISM;
  return [
    ...(isHuge
      ? [
          `${at}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...templateWarnings(spec.template, `${at}.template`),
  ];
}

/** The table of Jobs. */
export const jobPrinter: Printer<Printable<Job>> = printer([
  nameColumn(),
  column('Status', 'Status of the Job', jobStatus),
  column('Completions', 'Succeeded pods / required pods', formatCompletions),
  column('Duration', 'How long the Job ran or has been running', formatDuration),
  ageColumn(),
  ...containerColumns<Printable<Job>>(({ spec }) => spec?.template?.spec),
  column('Selector', 'Label selector of the pods', ({ spec }) => formatSelector(spec?.selector), {
    wide: true,
  }),
]);

function jobStatus(job: Printable<Job>): string {
  const is = (type: string): boolean => isStatusConditionTrue(job.status?.conditions, type);
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (isBeingDeleted(job)) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}

function formatCompletions({ spec, status }: Printable<Job>): string {
  const succeeded = status?.succeeded ?? 0;
  const parallelism = spec?.parallelism ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  // A Job without completions is done when one pod succeeds.
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function formatDuration({ status }: Printable<Job>, now: number): string {
  const { startTime, completionTime } = status ?? {};
  if (startTime === undefined) return '';
  const end = completionTime === undefined ? now : parseTime(completionTime);
  return humanDuration(end - parseTime(startTime));
}
