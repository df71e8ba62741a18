import { Clientset } from '../kubernetes/clientset.ts';
import { recordingLogger } from '../lib/test-logger.ts';
import { quiescence } from '../testing/quiescence.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import type { InformerFactoryOptions } from './informer-factory.ts';
import { SharedInformerFactory } from './shared-informer-factory.ts';
import { TestApi } from './test-api.ts';

/** A factory on a test server, without jitter and with a virtual clock. */
export class TestFactory {
  readonly clock: VirtualClock = new VirtualClock();
  readonly api: TestApi = new TestApi();
  readonly client: Clientset;
  readonly factory: SharedInformerFactory;
  readonly failures: string[] = [];
  readonly log: ReturnType<typeof recordingLogger> = recordingLogger();
  /** The options that give informers the clock of the test. */
  readonly machinery: InformerFactoryOptions = {
    clock: this.clock,
    random: { next: () => 0 },
    onWatchError: ({ verb }, informer) => this.failures.push(`${informer}: ${verb}`),
  };

  constructor(options: InformerFactoryOptions = {}) {
    this.client = new Clientset(
      { server: '', logger: this.log },
      { transport: this.api, clock: this.clock },
    );
    this.factory = new SharedInformerFactory(this.client, { ...this.machinery, ...options });
  }

  /** Resolves when nothing is left to do at the current time. */
  readonly settle = async (): Promise<void> => {
    await quiescence();
  };
}
