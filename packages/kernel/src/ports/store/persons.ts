/** Persons who talk through surfaces, and what surfaces call them. */
export interface PersonRecord {
  id: string;
  name: string | null;
  master: boolean;
  trusted: boolean;
  /** At least one. */
  external_ids: { surface: string; external_id: string }[];
  created_at: string;
}

export type PersonChanges = Partial<Pick<PersonRecord, 'name' | 'trusted' | 'master'>>;

export interface PersonStore {
  /** The oldest first. */
  list(): Promise<PersonRecord[]>;
  get(id: string): Promise<PersonRecord | undefined>;
  /**
   * The person that a surface calls by one of the ids of `fresh`; else `fresh`, which is kept. Requests at the same
   * time get the same person.
   */
  resolve(fresh: PersonRecord): Promise<PersonRecord>;
  /** Undefined where there is none. */
  update(id: string, changes: PersonChanges): Promise<PersonRecord | undefined>;
  /** `into` gets the external ids of both; the other is gone. Undefined where either is not there. */
  merge(id: string, into: string): Promise<PersonRecord | undefined>;
}
