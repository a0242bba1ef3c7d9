-- What pandoc does not understand of TeX is shown as source, not left out.
local function tex(format) return format == 'latex' or format == 'tex' end

function RawBlock(el)
  if tex(el.format) and el.text:match('^\\begin') then return pandoc.CodeBlock(el.text) end
end

function RawInline(el)
  if tex(el.format) and not el.text:match('^\\%a+%s*$') then return pandoc.Code(el.text) end
end
