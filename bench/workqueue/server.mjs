// The embedded server in a process of its own.
import { ApiServer } from '@client-ts/apiserver';

const { url, ca, token, kubeconfig } = await ApiServer.start();
process.on('disconnect', () => process.exit());
process.send({ url, ca, token, kubeconfig });
