// Upstream: pkg/apis/batch/v1/defaults.go: SetDefaults_CronJob
// Upstream: pkg/apis/batch/validation/validation.go: ValidateCronJobCreate, ValidateCronJobUpdate
// Upstream: pkg/registry/batch/cronjob/strategy.go
// Upstream: pkg/printers/internalversion/printers.go: printCronJob
import { checkTemplateSecurity } from '../core/pod/pod-security.ts';
import type * as batch from 'client-ts/api/batch/v1';
import { jsonEqual } from 'client-ts/internal';
import { validateChoice } from '../../../validation/choices.ts';
import {
  type FieldError,
  invalid,
  notSupported,
  required,
} from '../../../validation/field-error.ts';
import { printableSelector } from '../../../validation/labels.ts';
import type { Loose } from '../../../validation/loose.ts';
import { metaValidator, nonNegative } from '../../../validation/object-meta.ts';
import { since } from '../../printers/ages.ts';
import {
  ageColumn,
  column,
  containerColumns,
  nameColumn,
  type Printable,
  type Printer,
  printer,
} from '../../printers/printer.ts';
import { formatBoolean, formatSelector, NONE } from '../../printers/texts.ts';
import type { Strategy } from '../../strategy.ts';
import { keepSpec } from '../support.ts';
import { podNameWarning } from '../workload.ts';
import { scheduleProblem, timeZoneProblem } from './cron-schedule.ts';
import { validateJobSpec } from './job-spec.ts';
import { jobSpecWarnings, setJobSpecDefaults } from './job.ts';

type CronJob = Loose<batch.CronJob>;
type CronJobSpec = Loose<batch.CronJobSpec>;

/** The controller appends 11 characters to the name of a CronJob to name its Jobs. */
const LONGEST_NAME = 52;
const JOB_SPEC = 'spec.jobTemplate.spec';
const meta = metaValidator({ namespaced: true });

/** Rules of CronJobs. */
export const cronJobStrategy: Strategy<CronJob> = {
  check: ({ spec }, _old, context) =>
    checkTemplateSecurity(spec?.jobTemplate?.spec?.template, context),
  setDefaults: (cronJob) => {
    const spec = (cronJob.spec ??= {});
    spec.concurrencyPolicy ||= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    const template = (spec.jobTemplate ??= {});
    template.metadata ??= {};
    setJobSpecDefaults((template.spec ??= {}));
  },
  validate: (cronJob) => {
    const { name = '' } = cronJob.metadata ?? {};
    return [
      ...meta.create(cronJob),
      ...validateSpec(cronJob.spec ?? {}, undefined),
      ...(Buffer.byteLength(name) > LONGEST_NAME
        ? [invalid('metadata.name', name, `must be no more than ${LONGEST_NAME} characters`)]
        : []),
    ];
  },
  validateUpdate: (cronJob, old) => [
    ...meta.update(cronJob, old),
    ...validateSpec(cronJob.spec ?? {}, old.spec ?? {}),
  ],
  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: () => [],
  warnings: ({ metadata, spec = {} }, old) => {
    const ofJobs = (): string[] => jobSpecWarnings(spec.jobTemplate?.spec ?? {}, JOB_SPEC);
    if (old === undefined) return [...podNameWarning(metadata?.name), ...ofJobs()];
    return [
      ...(jsonEqual(spec, old.spec) ? [] : ofJobs()),
      ...(spec.schedule?.includes('TZ') === true
        ? [
            'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
          ]
        : []),
    ];
  },
  generation: 'spec',
};

function validateSpec(spec: CronJobSpec, old: CronJobSpec | undefined): FieldError[] {
  const { schedule = '', timeZone, jobTemplate = {} } = spec;
  return [
    ...(schedule === ''
      ? [required('spec.schedule')]
      : validateSchedule(schedule, timeZone, old?.schedule?.includes('TZ') === true)),
    ...nonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    ...(timeZone === undefined || timeZone === old?.timeZone ? [] : validateTimeZone(timeZone)),
    ...validateChoice(
      spec.concurrencyPolicy,
      ['Allow', 'Forbid', 'Replace'],
      'spec.concurrencyPolicy',
    ),
    ...validateJobTemplate(jobTemplate.spec ?? {}),
    ...nonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'),
    ...nonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'),
  ];
}

/**
 * Checks a schedule. Only CronJobs that already have a time zone in their schedule may keep one.
 */
function validateSchedule(
  schedule: string,
  timeZone: string | undefined,
  mayNameZone: boolean,
): FieldError[] {
  const field = 'spec.schedule';
  const problem = scheduleProblem(schedule);
  const errors = problem === undefined ? [] : [invalid(field, schedule, problem)];
  if (!schedule.includes('TZ')) return errors;
  if (!mayNameZone) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    errors.push(invalid(field, schedule, detail));
  } else if (timeZone !== undefined) {
    const detail = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    errors.push(invalid(field, schedule, detail));
  }
  return errors;
}

function validateTimeZone(timeZone: string): FieldError[] {
  const field = 'spec.timeZone';
  if (timeZone === '') {
    return [invalid(field, timeZone, 'timeZone must be nil or non-empty string')];
  }
  const hasOddPart = timeZone
    .split('/')
    .some((part) => /^\.\.?$/.test(part) || !/^(?!-)[A-Za-z.\-_0-9+]{1,14}$/.test(part));
  if (hasOddPart) return [invalid(field, timeZone, `unknown time zone ${timeZone}`)];
  const problem = timeZoneProblem(timeZone);
  return [
    ...(timeZone.toLowerCase() === 'local'
      ? [
          invalid(
            field,
            timeZone,
            'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
          ),
        ]
      : []),
    ...(problem === undefined ? [] : [invalid(field, timeZone, problem)]),
  ];
}

function validateJobTemplate(spec: Loose<batch.JobSpec>): FieldError[] {
  const { selector, manualSelector } = spec;
  return [
    ...validateJobSpec(spec, JOB_SPEC),
    ...(selector === undefined
      ? []
      : [
          invalid(
            `${JOB_SPEC}.selector`,
            printableSelector(selector),
            '`selector` will be auto-generated',
          ),
        ]),
    ...(manualSelector === true
      ? [notSupported(`${JOB_SPEC}.manualSelector`, manualSelector, ['nil', 'false'])]
      : []),
  ];
}

/** The table of CronJobs. */
export const cronJobPrinter: Printer<Printable<CronJob>> = printer([
  nameColumn(),
  column('Schedule', 'Schedule in cron format', ({ spec }) => spec?.schedule ?? ''),
  column('Timezone', 'Time zone of the schedule', ({ spec }) => spec?.timeZone ?? NONE),
  column('Suspend', 'Whether no new Jobs are created', ({ spec }) => formatBoolean(spec?.suspend), {
    type: 'boolean',
  }),
  column('Active', 'Number of running Jobs', ({ status }) => (status?.active ?? []).length, {
    type: 'integer',
  }),
  column('Last Schedule', 'Time since the last Job was created', ({ status }, now) =>
    status?.lastScheduleTime === undefined ? NONE : since(status.lastScheduleTime, now),
  ),
  ageColumn(),
  ...containerColumns<Printable<CronJob>>(({ spec }) => spec?.jobTemplate?.spec?.template?.spec),
  column(
    'Selector',
    "Label selector of the Jobs' pods",
    ({ spec }) => formatSelector(spec?.jobTemplate?.spec?.selector),
    { wide: true },
  ),
]);
