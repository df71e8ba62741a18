import type { CronJob, Job } from 'client-ts/api/batch/v1';
import { isBeingDeleted, parseTime } from 'client-ts/meta';
import { humanDuration, since } from './ages.ts';
import { holds } from './conditions.ts';
import { containerColumns } from './containers.ts';
import { ageColumn, column, nameColumn, type Printable, printer, type Printer } from './printer.ts';
import { formatBoolean, formatSelector, NONE } from './texts.ts';

/** The table of Jobs. */
export const jobPrinter: Printer<Printable<Job>> = printer([
  nameColumn(),
  column('Status', 'How far the job has come', jobStatus),
  column('Completions', 'Pods that succeeded, of those that have to', formatCompletions),
  column('Duration', 'How long the job ran, or has been running', formatDuration),
  ageColumn(),
  ...containerColumns<Printable<Job>>(({ spec }) => spec?.template?.spec),
  column(
    'Selector',
    'Labels by which the job knows its pods',
    ({ spec }) => formatSelector(spec?.selector),
    {
      wide: true,
    },
  ),
]);

function jobStatus(job: Printable<Job>): string {
  const is = (type: string): boolean => holds(job.status?.conditions, type);
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (isBeingDeleted(job)) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}

function formatCompletions({ spec, status }: Printable<Job>): string {
  const succeeded = status?.succeeded ?? 0;
  const parallelism = spec?.parallelism ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  // A job without a number of its own is done when one of its pods is.
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function formatDuration({ status }: Printable<Job>, now: number): string {
  const { startTime, completionTime } = status ?? {};
  if (startTime === undefined) return '';
  const end = completionTime === undefined ? now : parseTime(completionTime);
  return humanDuration(end - parseTime(startTime));
}

/** The table of CronJobs. */
export const cronJobPrinter: Printer<Printable<CronJob>> = printer([
  nameColumn(),
  column(
    'Schedule',
    'When jobs are made, in the notation of cron',
    ({ spec }) => spec?.schedule ?? '',
  ),
  column('Timezone', 'Time zone of the schedule', ({ spec }) => spec?.timeZone ?? NONE),
  column('Suspend', 'Whether no more jobs are made', ({ spec }) => formatBoolean(spec?.suspend), {
    type: 'boolean',
  }),
  column('Active', 'Jobs that are running', ({ status }) => (status?.active ?? []).length, {
    type: 'integer',
  }),
  column('Last Schedule', 'Time since the last job was made', ({ status }, now) =>
    status?.lastScheduleTime === undefined ? NONE : since(status.lastScheduleTime, now),
  ),
  ageColumn(),
  ...containerColumns<Printable<CronJob>>(({ spec }) => spec?.jobTemplate?.spec?.template?.spec),
  column(
    'Selector',
    'Labels by which the jobs know their pods',
    ({ spec }) => formatSelector(spec?.jobTemplate?.spec?.selector),
    { wide: true },
  ),
]);
