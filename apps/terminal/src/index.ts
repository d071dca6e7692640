/** The terminal client: a whole chat with hands, and one turn for scripts. */
export {};
