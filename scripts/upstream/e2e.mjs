import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What needs machines: images to run, etcd to stop, or APIs that are off by default. */
const NEEDS_MACHINES =
  /AdmissionWebhook|CustomResourceConversionWebhook|Aggregator|Etcd failure|StorageVersion resources|CoordinatedLeaderElection|kube-apiserver identity|\[Disruptive\]/;

const FOCUS = String.raw`\[sig-api-machinery\]`;

/** How long the specs of one group may take. */
const GROUP_MINUTES = 15;

/**
 * Runs the api-machinery specs, several groups at a time; those that are serial at the end.
 * @param {import('./types.d.ts').E2eRun} run
 */
export async function runE2e({ target, e2e, kubectl, focus, jobs, directory, done }) {
  const report = join(directory, `${target.name}-list.json`);
  await runProgram(
    e2e,
    [...flags(target, kubectl, report), '--ginkgo.dry-run', `--ginkgo.focus=${FOCUS}`],
    {
      log: `${report}.log`,
      timeoutMs: 60_000,
    },
  );
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const spec of specsOf(report)) {
    if (spec.state === 'skipped' || !focus.test(spec.name)) continue;
    if (NEEDS_MACHINES.test(spec.name)) done(spec.name, 'skip');
    else groups.set(spec.group, [...(groups.get(spec.group) ?? []), spec.name]);
  }
  const all = [...groups.keys()];
  /** @param {readonly [string, readonly string[]]} group */
  const isSerial = ([group]) => group.includes('[Serial]');
  const parallel = [...groups].filter((group) => !isSerial(group));
  /**
   * @param {[string, string[]][]} queue
   * @param {number | string} offset
   */
  const work = async (queue, offset) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await runGroup(next, {
        target,
        e2e,
        kubectl,
        directory,
        done,
        groups: all,
        number: `${offset}-${queue.length}`,
      });
    }
  };
  await Promise.all(Array.from({ length: jobs }, (_, index) => work(parallel, index)));
  await work([...groups].filter(isSerial), 'serial');
}

/**
 * @typedef {object} GroupRun
 * @property {string} number names the report
 * @property {readonly string[]} groups all groups
 *
 * @param {readonly [string, readonly string[]]} group
 * @param {Pick<import('./types.d.ts').E2eRun, 'target' | 'e2e' | 'kubectl' | 'directory' | 'done'> & GroupRun} run
 */
async function runGroup([group, names], run) {
  const { target, e2e, kubectl, directory, done, number, groups } = run;
  const report = join(directory, `${target.name}-${number}.json`);
  // Ginkgo compares the focus with all texts of a spec in one line.
  const others = groups.filter((one) => one !== group && one.startsWith(group)).map(escape);
  const args = [
    ...flags(target, kubectl, report),
    `--ginkgo.focus=${escape(group)}`,
    ...(others.length === 0 ? [] : [`--ginkgo.skip=${others.join('|')}`]),
  ];
  await runProgram(e2e, [...args, `--ginkgo.timeout=${GROUP_MINUTES}m`], {
    log: `${report}.log`,
    timeoutMs: (GROUP_MINUTES + 1) * 60_000,
  });
  const outcomes = new Map(specsOf(report).map(({ name, state }) => [name, state]));
  for (const name of names) {
    const state = outcomes.get(name);
    done(name, state === 'passed' ? 'pass' : state === 'skipped' ? 'skip' : 'fail');
  }
}

/**
 * @param {import('./types.d.ts').Target} target
 * @param {string | undefined} kubectl
 * @param {string} report
 */
function flags({ kubeconfig }, kubectl, report) {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--ginkgo.json-report=${report}`,
    ...(kubectl === undefined ? [] : [`--kubectl-path=${kubectl}`]),
    '--provider=skeleton',
    '--ginkgo.no-color',
    '--ginkgo.succinct',
    // No images run here: there is nothing to wait for.
    '--minStartupPods=-1',
    '--allowed-not-ready-nodes=-1',
    '--node-schedulable-timeout=10s',
    '--e2e-verify-service-account=false',
  ];
}

/**
 * @typedef {object} SpecReport a part of Ginkgo's report
 * @property {string} LeafNodeType
 * @property {string[]} ContainerHierarchyTexts
 * @property {string} LeafNodeText
 * @property {string} State
 */

/**
 * Returns the specs of a report; none if the run did not get as far as to write one.
 * @param {string} report
 */
function specsOf(report) {
  if (!existsSync(report)) return [];
  /** @type {{ SpecReports?: SpecReport[] }[]} */
  const suites = JSON.parse(readFileSync(report, 'utf8'));
  return suites
    .flatMap(({ SpecReports: specs }) => specs ?? [])
    .filter(({ LeafNodeType: type }) => type === 'It')
    .map(({ ContainerHierarchyTexts: texts, LeafNodeText: text, State: state }) => ({
      group: texts[0] ?? '',
      name: [...texts, text].join(' '),
      state,
    }));
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/**
 * Runs a program to its end; how it ends stands in its report.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ log: string, timeoutMs: number }} options
 * @returns {Promise<void>}
 */
function runProgram(file, args, { log, timeoutMs }) {
  return new Promise((end, fail) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    const output = createWriteStream(log);
    child.stdout.pipe(output, { end: false });
    child.stderr.pipe(output, { end: false });
    child.on('error', fail);
    child.on('close', () => output.end(() => end()));
  });
}
