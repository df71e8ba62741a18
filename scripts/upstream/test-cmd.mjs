import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** How long one function may take. */
const FUNCTION_MINUTES = 5;

/** A function of test/cmd that fails in its middle. */
const CANARY = 'record_command_canary';

/**
 * Runs the functions of test/cmd, one after the other, with the runner of the source tree. What that
 * would build and start (kubectl, etcd, kube-apiserver) is replaced.
 * @param {import('./types.d.ts').TestCmdRun} run
 */
export async function runTestCmd({ target, source, kubectl, token, focus, directory, done }) {
  const temporary = mkdtempSync(join(tmpdir(), 'test-cmd-'));
  const bin = join(temporary, 'bin');
  const files = join(temporary, 'files');
  // Not above the other files: kubectl would write their paths relative to its own.
  const config = join(temporary, 'config');
  for (const folder of [bin, files, config]) mkdirSync(folder);
  symlinkSync(kubectl, join(bin, 'kubectl'));
  // kube-apiserver writes its certificate there; some functions want any certificate.
  symlinkSync(join(source, 'hack/testdata/ca/ca.crt'), join(files, 'apiserver.crt'));
  const results = join(directory, `${target.name}-test-cmd.txt`);
  writeFileSync(results, '');
  const script = join(temporary, 'run.sh');
  writeFileSync(script, harness({ source, bin, results, temporary, token, target, focus }));
  await new Promise((end, fail) => {
    const child = spawn('bash', [script], { cwd: source, stdio: 'ignore' });
    child.on('error', fail);
    child.on('close', end);
  });
  for (const line of readFileSync(results, 'utf8').split('\n').filter(Boolean)) {
    const [name = '', code] = line.split(' ');
    if (name === CANARY) {
      if (code !== '0') continue;
      throw new Error('the functions of test/cmd would pass whatever happens in them');
    }
    done(`test/cmd ${name}`, code === '0' ? 'pass' : code === 'skip' ? 'skip' : 'fail');
  }
  rmSync(temporary, { recursive: true, force: true });
}

/**
 * @typedef {object} Places
 * @property {string} bin
 * @property {string} results
 * @property {string} temporary
 *
 * @param {Pick<import('./types.d.ts').TestCmdRun, 'focus' | 'source' | 'target' | 'token'> & Places} options
 */
function harness({ source, bin, results, temporary, token, target, focus }) {
  const logs = join(dirname(results), `${target.name}-test-cmd`);
  mkdirSync(logs, { recursive: true });
  return `
set -o errexit -o nounset -o pipefail
export TMPDIR='${temporary}/files' KUBE_ROOT='${source}' THIS_PLATFORM_BIN='${bin}' KUBE_TEMP='${temporary}' HOME='${temporary}'
export SECURE_API_PORT=${target.port} SUPPORTED_RESOURCES='*' KUBE_JUNIT_REPORT_DIR='${temporary}/junit'
export KUBECONFIG='${temporary}/config/kubeconfig' KUBECACHEDIR='${temporary}/cache' ALLOW_SKEW=1 KUBE_OUTPUT_HOSTBIN='${bin}'
cd "$KUBE_ROOT"
source hack/lib/init.sh
source hack/lib/test.sh
THIS_PLATFORM_BIN='${bin}'
source test/cmd/legacy-script.sh
PATH='${bin}':$PATH
kube::etcd::cleanup() { :; }
kube::golang::setup_env() { :; }
make() { :; }
# Each function runs by itself, in a group of processes that ends with its time: what one of them breaks does not
# stop the others, and neither does one that never ends.
record_command() {
  local name=$1
  if [ $name != ${CANARY} ] && ! [[ $name =~ ${focus.source === '(?:)' ? '.' : focus.source} ]]; then echo "$name skip" >> '${results}'; return 0; fi
  set +o errexit +o nounset
  set -m
  ( "$@" ) > '${logs}'/$name.log 2>&1 < /dev/null &
  local group=$!
  ( sleep ${FUNCTION_MINUTES * 60}; echo 'out of time' >> '${logs}'/$name.log; kill -KILL -- -$group ) 2> /dev/null &
  local watchdog=$!
  set +m
  wait $group
  echo "$name $?" >> '${results}'
  kill -KILL -- -$watchdog
  set -o nounset
}
SED=sed
kube::util::ensure-gnu-sed
CONTEXT=test
kubectl config set-credentials test-admin --token '${token}'
kubectl config set-cluster local --insecure-skip-tls-verify --server "https://127.0.0.1:$SECURE_API_PORT"
kubectl config set-context test --user test-admin --cluster local
kubectl config use-context test
export CONTEXT
# Not in a list with "||": Bash would ignore failures within the functions.
set +o errexit
record_command ${CANARY}
runTests > '${logs}'/run.log 2>&1
true
`;
}
