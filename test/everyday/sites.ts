/** The pages of the sites that tasks read, and the results of the search engine. */

const WORDS = 'Ships come in at night, and the keeper counts them in the morning. ';

export function pageOf(path: string, site: string): string {
  const chain = /^\/chain\/(\d+)$/.exec(path)?.[1];
  const link = chain === undefined ? '' : `<a href="/chain/${Number(chain) + 1}">Next</a>`;
  return `<html><head><title>${site} ${path}</title></head><body><article><p>${WORDS.repeat(5)}${link}</p></article></body></html>`;
}

export function resultsOf({ docs, news }: { docs: string; news: string }) {
  const results = [
    ...Array.from({ length: 10 }, (_, index) => `http://${docs}/page/${index + 1}`),
    ...Array.from({ length: 5 }, (_, index) => `http://${news}/story/${index + 1}`),
  ];
  return { results: results.map(url => ({ url, title: `About ${url}` })) };
}
