export { Lister, type ListerOptions, type ListerSelector, NamespaceLister } from './lister.ts';
