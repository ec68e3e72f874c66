/** What stands in the tables: rules in our own words, by the ids that tests name. */
export type Rules = Record<string, string>
