/** Runs the suite of the store over the database of the run. */
import { describe } from 'vitest';
import { storeSuite } from './store.suite.ts';

describe('The store', storeSuite);
