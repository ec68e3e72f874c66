/** The version of the Graph API that Facebook and Instagram are called with; Threads has versions of its own. */
export const graphVersion = 'v26.0'
