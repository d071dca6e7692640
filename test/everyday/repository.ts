/** The files of the project that tasks work in, and of one next to it. */
export const FILES: Readonly<Record<string, string>> = {
  'shop/package.json': '{ "name": "shop", "type": "module" }\n',
  'shop/src/price.js': 'export const format = price => price.toFixed(2);\n',
  'shop/src/cart.js':
    "import { format } from './price.js';\n\nexport const total = (items) =>\n  format(items.reduce((sum, { count, price }) => sum + count * price, 0));\n",
  'shop/src/index.js': "export { total } from './cart.js';\n",
  'shop/test/cart.test.js':
    "import { test } from 'node:test';\nimport { equal } from 'node:assert';\nimport { total } from '../src/cart.js';\n\ntest('total', () => equal(total([{ count: 2, price: 3 }]), '6.00'));\n",
  'shop/README.md': '# Shop\n\nUse total.\n',
  'shop/docs/cart.md': 'The total of a cart.\n',
  'shop/.env': 'TOKEN=old\n',
  'shop/.env.example': 'TOKEN=\n',
  'shop/.gitignore': '.env\n',
  'shop/.github/workflows/ci.yml': 'node: 20\n',
  'other/a.txt': 'a\n',
  'other/b.txt': 'b\n',
  'other/deep/c.txt': 'c\n',
};
