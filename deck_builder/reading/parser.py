"""The Markdown parser: CommonMark with the rules of the slide dialect, in the order in which they are tried."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_inline import fragments_join, link_pairs
from markdown_it.rules_inline.emphasis import postProcess
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote.index import footnote_def

from deck_builder.reading import block_rules, inline_rules, tables


def make_parser() -> MarkdownIt:
    """A parser whose block stage and line stage are called separately (`md.block.parse`, `md.inline.parse`)."""
    parser = MarkdownIt("zero", {"html": True, "maxNesting": 100})
    block = parser.block.ruler
    block.enable(["blockquote", "code", "fence", "heading", "hr", "list", "reference"])
    block.disable(["table", "lheading", "html_block"])
    block.at("code", block_rules.code)
    block.at("hr", block_rules.rule, block_rules.INTERRUPTS)
    block.at("paragraph", block_rules.paragraph)
    block.before("code", "prose", block_rules.prose)
    block.before("code", "pipe_table", tables.pipe_table, {"alt": ["paragraph", "reference"]})
    block.before("code", "grid_table", tables.grid_table, {"alt": ["paragraph", "reference"]})
    block.before("fence", "div", block_rules.div, block_rules.INTERRUPTS)
    block.before("fence", "math", block_rules.math, block_rules.INTERRUPTS)
    block.before("fence", "latex", block_rules.latex, block_rules.INTERRUPTS)
    block.before("fence", "comment", block_rules.comment, block_rules.INTERRUPTS)
    block.before("fence", "caption", block_rules.caption, {"alt": ["blockquote"]})
    block.before("reference", "footnote_def", footnote_def, {"alt": ["paragraph", "reference"]})
    deflist_plugin(parser)
    block.before("paragraph", "line_block", block_rules.line_block)
    inline = parser.inline
    inline.ruler.at("text", inline_rules.text)
    inline.ruler.push("special", inline_rules.special)
    inline.ruler.enableOnly(["text", "special"])
    inline.ruler2.enableOnly([])
    for name, rule in (("pairs", link_pairs), ("emphases", postProcess), ("join", fragments_join)):
        inline.ruler2.push(name, rule)
    return parser
