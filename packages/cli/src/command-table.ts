import { apiResources } from './commands/api-resources.ts';
import { apiVersions } from './commands/api-versions.ts';
import { apply } from './commands/apply.ts';
import { collectEvents } from './commands/collect-events.ts';
import { completeCommand } from './commands/complete.ts';
import { completion } from './commands/completion.ts';
import { config } from './commands/config.ts';
import { cordon, uncordon } from './commands/cordon.ts';
import { cp } from './commands/cp.ts';
import { deleteCommand } from './commands/delete.ts';
import { demo } from './commands/demo.ts';
import { describe } from './commands/describe.ts';
import { diff } from './commands/diff.ts';
import { drain } from './commands/drain.ts';
import { events } from './commands/events.ts';
import { attach, exec } from './commands/exec.ts';
import { explain } from './commands/explain.ts';
import { generate } from './commands/generate.ts';
import { get } from './commands/get.ts';
import { init } from './commands/init.ts';
import { inspect } from './commands/inspect.ts';
import { logs } from './commands/logs.ts';
import { podsPerNode } from './commands/pods-per-node.ts';
import { portForward } from './commands/port-forward.ts';
import { rbac } from './commands/rbac.ts';
import { rollout } from './commands/rollout.ts';
import { scale } from './commands/scale.ts';
import { serve } from './commands/serve.ts';
import { simulate } from './commands/simulate.ts';
import { top } from './commands/top.ts';
import { version } from './commands/version.ts';
import { wait } from './commands/wait.ts';
import { watch } from './commands/watch.ts';
import type { Command } from './frame/command.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  get,
  watch,
  describe,
  explain,
  apply,
  diff,
  deleteCommand,
  wait,
  rollout,
  scale,
  top,
  cordon,
  uncordon,
  drain,
  logs,
  exec,
  attach,
  portForward,
  cp,
  config,
  rbac,
  apiResources,
  apiVersions,
  podsPerNode,
  collectEvents,
  events,
  serve,
  demo,
  inspect,
  simulate,
  generate,
  init,
  completion,
  version,
  completeCommand(() => commands),
];
