/** How a test ended. */
export type Outcome = 'fail' | 'pass' | 'skip';

/** A server under test. */
export interface Target {
  readonly name: string;
  readonly kubeconfig: string;
  readonly port: number;
  close(): Promise<void>;
}

/** What all runners need. */
export interface Run {
  readonly target: Target;
  /** The source tree of Kubernetes. */
  readonly source: string;
  /** Only tests whose names match. */
  readonly focus: RegExp;
  /** For logs and reports. */
  readonly directory: string;
  readonly done: (name: string, outcome: Outcome) => void;
}

export interface E2eRun extends Run {
  readonly e2e: string;
  /** Default: the one on the PATH. */
  readonly kubectl: string | undefined;
  readonly jobs: number;
}

export interface TestCmdRun extends Run {
  readonly kubectl: string;
  readonly token: string;
}

export interface TestCmdServerOptions {
  readonly token: string;
  readonly source: string;
  readonly directory: string;
  /** A kube-controller-manager. Default: simulated controllers. */
  readonly controllerManager: string | undefined;
}
