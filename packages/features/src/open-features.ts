/** Opens the features for a kernel, and passes their services to their routes. */
import type { RouteOf } from '@chat-kernel/http';
import type { Feature, Tool, ToolGroup } from '@chat-kernel/kernel';
import type { StoreHooks } from '@chat-kernel/storage';
import type { AnyFeature, FeatureCounter, FeatureMachine, FeatureServices, QueryParts } from './feature.ts';
import { FEATURES } from './features.ts';

/** Wraps each part of an object, for example to trace its calls. */
type Watch = <Parts extends object>(parts: Parts) => Parts;

/** A counter with its service. */
export type OpenCounter = Omit<FeatureCounter<unknown>, 'read'> & {
  read(): ReturnType<FeatureCounter<unknown>['read']>;
};

export class OpenFeatures {
  readonly #services = new Map<AnyFeature, unknown>();

  /** @param watch wraps the features' queries, as it does those of the store */
  open(services: FeatureServices, machine: FeatureMachine, parts: QueryParts, watch: Watch): Feature[] {
    return FEATURES.map(feature => {
      const stores = feature.stores?.(parts, services.log) ?? {};
      const opened = feature.open(services, watch(stores), machine);
      this.#services.set(feature, opened.service);
      return { ...opened, name: feature.name };
    });
  }

  /** The tools of all features. They can run once the features are open. */
  tools(machine: FeatureMachine): Tool[] {
    return FEATURES.flatMap(feature => feature.tools?.(() => this.serviceOf(feature), machine) ?? []);
  }

  /** The groups of these tools. */
  groups(): ToolGroup[] {
    return FEATURES.flatMap(({ groups = [] }) => groups);
  }

  /** The counters of all features. They can be read once the features are open. */
  counters(): OpenCounter[] {
    return FEATURES.flatMap(feature =>
      (feature.counters ?? []).map(counter => ({
        ...counter,
        read: () => counter.read(this.serviceOf(feature)),
      })),
    );
  }

  /** The service of an open feature. */
  serviceOf(feature: AnyFeature): unknown {
    return this.#services.get(feature);
  }
}

export const STORE_HOOKS: readonly StoreHooks[] = FEATURES.flatMap(({ storeHooks = [] }) => storeHooks);

interface FeatureRoutes {
  after: string | undefined;
  routes: RouteOf<{ features: OpenFeatures }>[];
}

/** The routes of each feature, and the operation of the API document that they follow. */
export const FEATURE_ROUTES: readonly FeatureRoutes[] = FEATURES.map(feature => ({
  after: feature.documentedAfter,
  routes: feature.routes.map((route): FeatureRoutes['routes'][number] => {
    const { handler, chatOf, ...described } = route;
    const withService = <Call extends { features: OpenFeatures }>(call: Call) => ({
      ...call,
      service: call.features.serviceOf(feature),
    });
    return {
      ...described,
      handler: call => handler(withService(call)),
      ...(chatOf && { chatOf: call => chatOf(withService(call)) }),
    };
  }),
}));
