import { apiResources } from './commands/api-resources.ts';
import { apiVersions } from './commands/api-versions.ts';
import { attach } from './commands/attach.ts';
import { collectEvents } from './commands/collect-events.ts';
import { completeCommand } from './commands/complete.ts';
import { completion } from './commands/completion.ts';
import { cp } from './commands/cp.ts';
import { demo } from './commands/demo.ts';
import { events } from './commands/events.ts';
import { exec } from './commands/exec.ts';
import { generate } from './commands/generate.ts';
import { get } from './commands/get.ts';
import { init } from './commands/init.ts';
import { logs } from './commands/logs.ts';
import { podsPerNode } from './commands/pods-per-node.ts';
import { portForward } from './commands/port-forward.ts';
import { serve } from './commands/serve.ts';
import { simulate } from './commands/simulate.ts';
import { version } from './commands/version.ts';
import { watch } from './commands/watch.ts';
import type { Command } from './frame/command.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  get,
  watch,
  logs,
  exec,
  attach,
  portForward,
  cp,
  apiResources,
  apiVersions,
  podsPerNode,
  collectEvents,
  events,
  serve,
  demo,
  simulate,
  generate,
  init,
  completion,
  version,
  completeCommand(() => commands),
];
