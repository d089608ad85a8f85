/* The report: a page that is well-formed, agrees with `springback check`, never shows texts as markup, and is complete
 * even if results are missing. */
#include "shell.h"

#include "report/html.h"

#include <jansson.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <sys/stat.h>

#define NASTY "<script>alert('1')</script> & \\\"]]> --> &amp; %s \xc3\xa9"

static const char experiment[] = "springback: 1\n"
                                 "paper: paper\n"
                                 "title: \"" NASTY "\"\n"
                                 "body: {cloth: {nodes: [[6, 5], [7, 5]], pins: corners}}\n"
                                 "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                                 "time: {step: 1 ms, steps_per_frame: 10, frames: 4}\n"
                                 "record: {every: 1}\n"
                                 "assumptions:\n"
                                 "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: \"" NASTY "\"}\n";

static const char claims[] =
    "springback: 1\n"
    "paper: paper\n"
    "title: \"" NASTY "\"\n"
    "doi: 10.1/a\"b\n"
    "claims:\n"
    "  - {id: paper.nodes, where: 'Sec. 1, Fig. 1 to 3, Tab. 12', says: thirty, kind: count, reported: 30,\n"
    "     from: {experiment: paper/cloth, select: {body.cloth.nodes: [6, 5]}, quantity: nodes}, recorded: differs,\n"
    "     headline: true, class: result}\n"
    "  - {id: paper.fewer, says: twenty, kind: count, reported: 20, explained: they count other nodes, headline: "
    "true, class: result,\n"
    "     from: {experiment: paper/cloth, select: {body.cloth.nodes: [6, 5]}, quantity: nodes}}\n"
    "  - {id: paper.nasty, says: \"" NASTY "\", kind: consistency, finding: \"" NASTY "\", verdict: differs}\n"
    "  - {id: paper.unrun, says: never run, kind: count, reported: 1,\n"
    "     from: {experiment: paper/never, quantity: nodes}}\n"
    "  - {id: paper.gpu, says: fast, kind: count, reported: 1, needs: gpu,\n"
    "     from: {experiment: paper/cloth, select: {device_type: gpu}, quantity: nodes}}\n";

static const char svg[] =
    "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"   viewBox=\"0 0 90 60\">\n"
    "<text id='a'>100 %  &amp; #1</text>\n\n</svg>\n";

static xmlDoc *page;
static xmlXPathContext *context;

static void forget(void) {
    xmlXPathFreeContext(context);
    xmlFreeDoc(page);
    context = NULL;
    page = NULL;
}

static void setup(void) {
    shell_begin();
    cr_assert_eq(shell("mkdir -p experiments/paper figures/paper paper_checks"), 0);
    text_write("experiments/paper/cloth.yaml", experiment);
    text_write("paper_checks/paper.yaml", claims);
}

static void teardown(void) {
    forget();
    xmlCleanupParser();
    shell_end();
}

TestSuite(report, .init = setup, .fini = teardown);

/* ---- Reading a page ---- */

/* The value of an XPath expression as a number; for a set of nodes, their count. */
static double number_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

static double number_of(const char *format, ...) {
    char expression[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expression, sizeof expression, format, arguments);
    va_end(arguments);
    xmlXPathObject *found = xmlXPathEvalExpression((const xmlChar *)expression, context);
    cr_assert_not_null(found, "%s", expression);
    const double number =
        found->type == XPATH_NODESET ? found->nodesetval ? found->nodesetval->nodeNr : 0 : xmlXPathCastToNumber(found);
    xmlXPathFreeObject(found);
    return number;
}

/* The value of an XPath expression as a text; valid until the next call. */
static const char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

static const char *text_of(const char *format, ...) {
    static char text[65536];
    char expression[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expression, sizeof expression, format, arguments);
    va_end(arguments);
    xmlXPathObject *found = xmlXPathEvalExpression((const xmlChar *)expression, context);
    cr_assert_not_null(found, "%s", expression);
    xmlChar *value = xmlXPathCastToString(found);
    snprintf(text, sizeof text, "%s", (const char *)value);
    xmlFree(value);
    xmlXPathFreeObject(found);
    return text;
}

static void load(const char *path) {
    forget();
    page = xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_HUGE);
    cr_assert_not_null(page, "%s is not well-formed", path);
    context = xmlXPathNewContext(page);
    cr_assert_not_null(context);
}

#define expect_number(expected, ...)                                                                                   \
    cr_expect_eq(number_of(__VA_ARGS__), expected, "%s: %g", #__VA_ARGS__, number_of(__VA_ARGS__))
#define expect_text(expected, ...) cr_expect_str_eq(text_of(__VA_ARGS__), expected)

/* Check what every page must have. `folder` is the folder of the page. */
static void check_page(const char *folder) {
    expect_number(1, "//h1");
    expect_text("en", "/html/@lang");
    expect_number(1, "/html/body/header//nav[@aria-label]");
    expect_number(1, "/html/body/main");
    expect_number(1, "/html/body/footer");
    expect_number(0, "//th[not(@scope)]");
    expect_number(0, "//table[not(caption)]");
    expect_number(0, "//*[@id = preceding::*/@id or @id = ancestor::*/@id]");
    expect_number(0, "//img[not(@alt)]");
    expect_number(0, "//*[@aria-labelledby][not(@aria-labelledby = //*/@id)]");
    expect_number(0, "//section[not(.//h1 or .//h2 or .//h3)]");
    expect_number(number_of("count(//article)"), "//article[count(ancestor::details) = 1]");
    /* The page loads no other file, and no name can run as a script. */
    expect_number(0, "//link | //iframe | //object | //embed | //base | //script[@src]");
    expect_number(1, "//script");
    expect_number(1, "//style");
    expect_number(0, "//img[not(starts-with(@src, 'data:image/svg+xml,'))]");
    expect_number(0, "//image[not(starts-with(@href, 'data:image/svg+xml,'))]");
    expect_number(0, "//use[not(substring-after(@href, '#') = //image/@id)]");
    expect_number(0, "//@*[starts-with(name(), 'on') or name() = 'style' or name() = 'srcset']");
    expect_number(0, "//a[not(@href)]");
    xmlXPathObject *links = xmlXPathEvalExpression((const xmlChar *)"//a/@href", context);
    for (int l = 0; l < links->nodesetval->nodeNr; ++l) {
        xmlChar *address = xmlNodeGetContent(links->nodesetval->nodeTab[l]);
        const char *link = (const char *)address;
        if (*link == '#') {
            xmlXPathObject *target;
            char *expression = text_format("//*[@id = '%s']", link + 1);
            target = xmlXPathEvalExpression((const xmlChar *)expression, context);
            cr_expect(target && target->nodesetval && target->nodesetval->nodeNr == 1, "%s leads nowhere", link);
            xmlXPathFreeObject(target);
            free(expression);
        } else if (strncmp(link, "https://doi.org/10.", 19) != 0) {
            /* A file next to the page, whose address is percent-encoded. */
            cr_expect(*link != '/' && !strchr(link, ':'), "%s is not relative", link);
            char *path = text_format("%s/%s", folder, link), *to = path;
            for (const char *from = path; *from; ++from) {
                if (*from == '%') {
                    const char digits[] = {from[1], from[1] ? from[2] : 0, 0};
                    *to++ = (char)strtoul(digits, NULL, 16);
                    from += strlen(digits);
                } else {
                    *to++ = *from;
                }
            }
            *to = 0;
            cr_expect_eq(access(path, R_OK), 0, "%s is not there (%s)", path, link);
            free(path);
        }
        xmlFree(address);
    }
    xmlXPathFreeObject(links);
}

/* Expect each claim on the page to have the content that `springback check --json` prints, and to be in the group of
 * its paper and verdict. */
static void check_claims(const char *options) {
    shell("\"$S\" check --json %s", options);
    const char *line = said.out;
    int count = 0;
    for (; *line; line += strcspn(line, "\n") + 1, ++count) {
        json_t *claim = json_loadb(line, strcspn(line, "\n"), 0, NULL);
        cr_assert_not_null(claim);
#define word(key) json_string_value(json_object_get(claim, key))
        const char *id = word("id");
        expect_text(id, "string(//article[@id = '%s']//h4)", id);
        expect_text(word("says"), "string(//article[@id = '%s']//*[@class = 'says'])", id);
        expect_text(word("why"), "string(//article[@id = '%s']//*[@class = 'why'])", id);
        expect_text(word("command"), "string(//article[@id = '%s']//*[@class = 'repeat']/code)", id);
        expect_text(word("verdict"), "substring-after(//article[@id = '%s']//*[starts-with(@class, 'verdict')], ' ')",
                    id);
        expect_text(word("verdict"), "translate(substring-after(//article[@id = '%s']/../@id, '%s-'), '-', ' ')", id,
                    word("paper"));
        expect_text(word("measured"), "translate(//article[@id = '%s']//dd[../dt = 'here'], '-', '')", id);
        expect_text(word("reported"), "translate(//article[@id = '%s']//dd[../dt = 'the paper'], '-', '')", id);
        cr_expect(strstr(text_of("string(//article[@id = '%s']//*[@class = 'place'])", id), word("where")));
        expect_number(json_is_true(json_object_get(claim, "changed")), "//article[@id = '%s']//strong", id);
#undef word
        json_decref(claim);
    }
    expect_number(count, "//article");
}

/* ---- Pages ---- */

Test(report, is_whole_with_runs_and_figures) {
    text_write("figures/paper/fig2.gp",
               "# paper, figure 2: <i>it</i> & more,\n# over two lines.\n# raster 1 1\nplot x\n");
    text_write("figures/paper/odd.gp", "load \"figures/paper/rows.inc\"\n");
    text_write("figures/paper/rows.inc", "plot here.\"/cloth/summary.tsv\"\n");
    cr_assert_eq(shell("\"$S\" run -q --out out experiments/paper/cloth.yaml && mkdir -p out/figures/paper"), 0);
    text_write("out/figures/paper/fig2.svg", svg);
    text_write("out/figures/paper/fig2-more.svg", svg);
    text_write("out/figures/paper/fig10.svg", svg);
    text_write("out/figures/paper/table12.svg", svg);
    text_write("out/figures/paper/o: d#d%?\"<'.svg", svg);
    text_write("out/figures/paper/odd.svg", svg);
    cr_assert_eq(shell("\"$S\" report --out out"), 0, "%s", said.err);
    expect_out("report: out/report.html\n");
    load("out/report.html");
    check_page("out");
    check_claims("--out out");
    expect_text("<script>alert('1')</script> & \"]]> --> &amp; %s \xc3\xa9. doi 10.1/a\"b. Discussion: docs/paper.md",
                "string(//section[@class = 'paper']/p[@class = 'title'])");
    expect_text("https://doi.org/10.1/a%22b", "string(//section[@class = 'paper']/p[@class = 'title']/a/@href)");
    expect_text("2", "string(//table[caption = 'Devices']//tbody/tr[1]/td[last()])");
    expect_text("2", "string(//table[starts-with(caption, 'Experiments')]//td[@data-label = 'whole'])");
    expect_text("<script>alert('1')</script> & \"]]> --> &amp; %s \xc3\xa9",
                "string(//table[starts-with(caption, 'Experiments')]//td[@data-label = 'title'])");
    expect_text("1", "string(//section[@id = 'summary']//td[@data-label = 'matches'])");
    expect_text("1", "string(//section[@id = 'summary']//td[@data-label = 'differs'])");
    expect_number(0, "//section[@id = 'summary']//td[@data-label = 'not run']");
    expect_text("2", "string(//section[@id = 'summary']//td[@data-label = 'facts that runs decide'])");
    expect_text("3", "string(//section[@id = 'summary']//td[@data-label = 'other facts'])");
    expect_text("0", "string(//section[@id = 'summary']//td[@data-label = 'hold'])");
    expect_text("1", "string(//section[@id = 'summary']//td[@data-label = 'differ'])");
    expect_text("2", "string(//section[@id = 'summary']//td[@data-label = 'neither'])");
    expect_text("#paper-matches", "string(//section[@id = 'summary']//td[@data-label = 'matches']/a/@href)");
    /* The headline results. A result that differs is shown with the size and direction of its difference. */
    expect_text("Of 2 headline results, 1 reproduces, 1 differs.", "string(//p[@class = 'sentence'])");
    expect_number(2, "//div[@class = 'headlines']//tbody/tr");
    expect_text("twenty", "string(//div[@class = 'headlines']//a[@href = '#paper.fewer'])");
    expect_text("20", "string(//div[@class = 'headlines']//tr[th/a/@href = '#paper.fewer']/td[1])");
    expect_text("30", "string(//div[@class = 'headlines']//tr[th/a/@href = '#paper.fewer']/td[2])");
    expect_text("\xe2\x89\xa0 differs, 50 % more than printed",
                "string(//div[@class = 'headlines']//tr[th/a/@href = '#paper.fewer']/td[3])");
    cr_expect(
        strstr(text_of("string(//h3[starts-with(., 'What differs')]/following::ul[1])"), "they count other nodes"));
    expect_text("#paper-paper", "string(//ul[@class = 'pictures']/li/a/@href)");
    expect_text("changed; recorded verdict: differs", "string(//article[@id = 'paper.nodes']//strong)");
    /* The claim's `where` names figures 1 to 3 and table 12; fig2-more belongs to fig2. The script of `odd` reads the
     * claim's experiment. */
    expect_text("Figures: fig2, fig2-more, odd, table12",
                "string(//article[@id = 'paper.nodes']//*[@class = 'figures'])");
    expect_number(0, "//article[@id = 'paper.nasty']//*[@class = 'figures']");
    expect_number(5, "//figure//img");
    expect_number(1, "//figure[@id = 'figure-paper-odd']//use");
    expect_text("#paper.nodes", "string(//figure[@id = 'figure-paper-fig2']//li/a/@href)");
    expect_number(2, "//figure[ancestor::details]"); /* the figure `odd`, and the one with an unusual name */
    expect_text("1 kg", "string(//table[caption = 'Assumptions']//td[@data-label = 'values'])");
    expect_text("0.5 kg to 2 kg", "string(//table[caption = 'Assumptions']//td[@data-label = 'likely range'])");
    expect_text("cloth", "string(//table[caption = 'Assumptions']//td[@data-label = 'experiments'])");
    expect_text("Figure 2: <i>it</i> & more, over two lines.", "string(//figure[@id = 'figure-paper-fig2']//img/@alt)");
    expect_text("90", "string(//figure[@id = 'figure-paper-fig2']//img/@width)");
    expect_text("fig10: fig10", "normalize-space(//figure[@id = 'figure-paper-fig10']/figcaption/p)");
    expect_text("data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22   viewBox=%220 0 90 60%22> "
                "%3Ctext id='a'>100 %25  %26amp; %231%3C/text>  %3C/svg> ",
                "string(//figure[@id = 'figure-paper-fig2']//img/@src)");
    /* the page has fig2 before fig10 */
    expect_number(1, "//figure[@id = 'figure-paper-fig2'][following::figure[@id = 'figure-paper-fig10']]");
}

Test(report, is_the_same_page_again) {
    cr_assert_eq(shell("\"$S\" run -q --out out experiments/paper/cloth.yaml && \"$S\" report --out out -q"), 0);
    expect_no_out("report");
    cr_expect_eq(shell("cp out/report.html first && \"$S\" report --out out && cmp first out/report.html"), 0);
}

#ifdef SPRINGBACK_PREPARE
/* If there is a sweep, the page says in how many set-ups a claim holds. */
Test(report, says_on_what_a_verdict_depends) {
    text_write("paper_checks/paper.yaml",
               "springback: 1\npaper: paper\nclaims:\n"
               "- {id: paper.slow, says: slow, kind: bound, expect: '< 1000 m/s',\n"
               "   from: {experiment: paper/cloth, select: {body.cloth.nodes: [6, 5]}, quantity: largest_speed, "
               "over_frames: max}}\n"
               "- {id: paper.heavy, says: heavy, kind: consistency, finding: f, verdict: differs}\n");
    cr_assert_eq(shell("\"$S\" run -q --out out experiments/paper/cloth.yaml && "
                       "\"$S\" sensitivity -q --members 4 --out out experiments/paper/cloth.yaml && "
                       "\"$S\" report --out out"),
                 0, "%s", said.err);
    load("out/report.html");
    check_page("out");
    check_claims("--out out");
    cr_expect(strstr(text_of("string(//article[@id = 'paper.slow']//*[@class = 'why'])"),
                     "The claim holds in 4 of 4 likely set-ups and in 4 of 4 other possible ones."));
    expect_number(0, "//article[@id = 'paper.heavy']//dl");
    expect_text("paper/cloth", "string(//section[@id = 'paper-paper']//dl[@class = 'setup']/dt)");
    expect_text("chosen values", "string(//section[@id = 'paper-paper']//dl[@class = 'setup']/dd)");
}
#endif

/* The page compares the results with each recorded machine that has at least one of the runs. A paper's machine has no
 * runs, so the page has no comparison with it. */
Test(report, is_compared_with_recorded_machines) {
    shell("\"$S\" run -q --out there experiments/paper/cloth.yaml && "
          "\"$S\" record --out data/machines --name there there && "
          "sed 's/stiffness: 100/stiffness: 200/; s/6, 5/8, 5/; s/cloth:/cloth: /' experiments/paper/cloth.yaml "
          ">experiments/paper/other.yaml && \"$S\" run -q --out other experiments/paper/other.yaml && "
          "\"$S\" record --out data/machines --name other other && cp -r '" SOURCE_DIR
          "/data/machines/gtx-1070' data/machines");
    expect_code(0);
    cr_assert_eq(shell("\"$S\" run -q --out out experiments/paper/cloth.yaml && \"$S\" report --out out"), 0, "%s",
                 said.err);
    load("out/report.html");
    check_page("out");
    expect_number(1, "//nav//a[@href = '#comparisons']");
    expect_number(1, "//section[@id = 'comparisons']//h3");
    expect_text("out (A) and there (B)", "string(//section[@id = 'comparisons']//h3)");
    expect_number(1, "//section[@id = 'comparisons']//p[starts-with(., '2 runs on both machines: 2 bit-identical.')]");
    expect_text("springback compare out data/machines/there", "string(//section[@id = 'comparisons']//code)");

    /* Without runs or without records, the page has no comparison. */
    cr_assert_eq(shell("mkdir empty && \"$S\" report --out empty"), 0, "%s", said.err);
    load("empty/report.html");
    expect_number(0, "//*[@id = 'comparisons'] | //a[@href = '#comparisons']");
    cr_assert_eq(shell("\"$S\" report --out out --machines empty"), 0, "%s", said.err);
    load("out/report.html");
    expect_number(0, "//*[@id = 'comparisons'] | //a[@href = '#comparisons']");

    shell("echo '{' >data/machines/there/machine.json && echo old >out/report.html; \"$S\" report --out out");
    expect_code(2);
    expect_err("data/machines/there/machine.json");
    char *left = text_read("out/report.html");
    cr_expect_str_eq(left, "old\n");
    free(left);
}

/* The links of a page lead to the results, also if the page is in another folder. */
Test(report, links_from_where_it_is) {
    cr_assert_eq(shell("\"$S\" run -q --out a/out experiments/paper/cloth.yaml && mkdir -p a/out/figures/paper"), 0);
    text_write("a/out/figures/paper/fig1.svg", svg);
    cr_assert_eq(shell("mkdir docs && touch docs/paper.md docs/claims.md"), 0);
    static const char *const pages[][2] = {{"a/page.html", "a"},
                                           {"b/c/page.html", "b/c"},
                                           {"page.html", "."},
                                           {"a/out/figures/page.html", "a/out/figures"},
                                           {"a/other/p.html", "a/other"}};
    for (size_t p = 0; p < sizeof pages / sizeof *pages; ++p) {
        cr_assert_eq(shell("\"$S\" report --out a/out/ --page %s", pages[p][0]), 0, "%s", said.err);
        load(pages[p][0]);
        check_page(pages[p][1]);
        expect_number(1, "//table[starts-with(caption, 'Experiments')]//th/span/a");
        expect_text("docs/paper.md", "string(//p[@class = 'title']/a[contains(@href, 'docs/')])");
    }
}

/* The claims are judged once for the table and the page. The page has all claims, even if options select claims for the
 * table. */
Test(report, check_writes_the_page_that_report_writes) {
    cr_assert_eq(shell("\"$S\" run -q --out out experiments/paper/cloth.yaml && \"$S\" report --out out --page a.html"),
                 0, "%s", said.err);
    const int code = shell("\"$S\" check --out out >table");
    cr_expect_eq(shell("\"$S\" check --out out --page b.html >with-page"), code);
    cr_expect_eq(shell("cmp a.html b.html && echo 'report: b.html' | cat table - | cmp - with-page"), 0, "%s",
                 said.err);
    shell("\"$S\" check --out out --about paper/other --page c.html");
    expect_code(2);
    cr_expect_eq(matching("c.html"), 0);
    shell("sed 's/6, 5/7, 5/' experiments/paper/cloth.yaml >experiments/paper/other.yaml && "
          "\"$S\" check --out out --about paper/other --page c.html");
    expect_out("paper/other: no claim of paper_checks/paper.yaml is about it");
    cr_expect_eq(shell("cmp a.html c.html"), 0, "%s", said.out);
    shell("\"$S\" check --out out --page ''");
    expect_code(2);
    expect_err("--page: the file's name is empty");
}

/* The page is complete even if there are no results and no figures, a device is missing, or a trace is damaged. */
Test(report, is_whole_where_results_are_missing) {
    cr_assert_eq(shell("\"$S\" report --out none"), 2, "a missing folder was accepted");
    cr_expect(strstr(said.err, "none: No such file or directory; expected a folder of traces"), "%s", said.err);
    cr_expect_neq(access("none", F_OK), 0);
    cr_assert_eq(shell("mkdir none && \"$S\" report --out none"), 0, "%s", said.err);
    load("none/report.html");
    check_page("none");
    check_claims("--out none");
    cr_expect(strstr(text_of("string(//section[@id = 'machines'])"), "There are no traces in none."));
    cr_expect(strstr(text_of("string(//section[@id = 'summary'])"), "No figures are drawn yet"));
    cr_expect(strstr(text_of("string(//section[@id = 'experiments'])"), "No experiment was run."));
    expect_number(2, "//section[@id = 'experiments']//li");
    char *changed = text_format("%sbackend: [serial, opencl:9]\n", experiment);
    text_write("experiments/paper/cloth.yaml", changed);
    free(changed);
    shell("\"$S\" run -q --out out experiments/paper/cloth.yaml; mkdir -p out/figures/paper/folder.svg "
          "out/figures/other; "
          "for f in out/paper/cloth/nodes=7x5*serial.h5; do printf X | dd of=\"$f\" bs=1 seek=3000 conv=notrunc 2>&-; "
          "done");
    text_write("out/figures/paper/broken.svg", "no picture\n");
    cr_assert_eq(mkfifo("out/figures/paper/pipe.svg", 0600), 0); /* reading it would wait */
    text_write("out/figures/paper/cut.svg", "<svg width='3'");
    cr_assert_eq(shell("truncate -s 3M out/figures/paper/large.svg && \"$S\" report --out out"), 0, "%s", said.err);
    load("out/report.html");
    check_page("out");
    check_claims("--out out");
    expect_number(5, "//figure");
    expect_number(0, "//img");
    cr_expect(strstr(text_of("string(//figure[@id = 'figure-paper-large']//p)"), "3.1 MB"));
    cr_expect(number_of("//table[caption = 'Runs without a trace']//td[. = 'failed']") >= 1);
    cr_expect(number_of("//table[caption = 'Runs without a trace']//td[. = 'missing']") >= 1);
    expect_number(0, "//table[caption = 'Runs without a trace']//td[@data-label = 'why'][. = '-']");
}

/* Errors are reported, and the earlier page is not changed. */
Test(report, is_not_written_on_bad_input) {
    static const struct {
        const char *command, *said;
    } cases[] = {
        {"report --out out bad.yaml", "bad.yaml:3:"},
        {"report --out out missing.yaml", "missing.yaml"},
        {"report --out out paper_checks/paper.yaml paper_checks/paper.yaml",
         "is also about the paper paper; a report needs one file per paper"},
        {"report --out out paper_checks/paper.yaml other.yaml",
         "other.yaml: the id paper.nodes is already used by a claim of paper_checks/paper.yaml"},
        {"report --out out --experiments nowhere", "nowhere: there is no such folder"},
        {"report --out bad.yaml", "bad.yaml: Not a directory"},
        {"report --out out --machines nowhere", "nowhere: no such folder; --machines expects a folder of records"},
        {"report --out out --page out", "out: cannot be written: Is a directory"},
        {"report --out out --page bad.yaml/page.html", "bad.yaml"},
        {"report --out ''", "--out: the folder's name is empty"},
        {"report --page ''", "--page: the file's name is empty"},
        {"report --wrong", "unrecognized option"},
    };
    text_write("other.yaml", "springback: 1\npaper: other\nclaims:\n- {id: paper.nodes, says: a, kind: consistency, "
                             "finding: f, verdict: differs}\n");
    text_write("bad.yaml", "springback: 1\npaper: paper\nclaims: 3\n");
    cr_assert_eq(shell("\"$S\" run -q --out out experiments/paper/cloth.yaml && echo old >out/report.html"), 0);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        shell("\"$S\" %s", cases[c].command);
        expect_code(2);
        expect_err(cases[c].said);
        expect_no_out("report:");
    }
    shell("trap '' XFSZ; ulimit -f 4; \"$S\" report --out out");
    expect_code(2);
    expect_err("report.html: cannot be written: File too large");
    char *left = text_read("out/report.html");
    cr_expect_str_eq(left, "old\n");
    free(left);
    cr_expect_eq(matching("out/*.part"), 0);
    shell("mkdir empty && cd empty && \"$S\" report");
    expect_code(2);
    expect_err("paper_checks/: no files of claims; give a file of claims");
    cr_expect_eq(matching("empty/*"), 0);
}

/* ---- Text as HTML ---- */

static char *written(void (*write)(FILE *out, const char *text), const char *text) {
    char *html = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&html, &size);
    write(out, text);
    fclose(out);
    return html;
}

#define REPLACED "\xef\xbf\xbd"

Test(html, slots_take_the_arguments_in_their_order) {
    char *html = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&html, &size);
    html_put(out, "<a id='{id}' href='{path}'>{text}{markup}</a> {int} {other} {", "a b", "a b", "<{int}>", "<br/>",
             -7);
    fclose(out);
    cr_expect_str_eq(html, "<a id='a~20b' href='a%20b'>&lt;{int}&gt;<br/></a> -7 {other} {");
    free(html);
}

Test(html, escapes) {
    static const struct {
        void (*write)(FILE *out, const char *text);
        const char *text, *html;
    } cases[] = {
        {html_text, "", ""},
        {html_text, "<a href=\"x\" id='y'>&amp;</a>", "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;"},
        {html_text, "]]>", "]]&gt;"},
        {html_text, "a\tb\nc", "a\tb\nc"},
        {html_text, "a\001b\033c\177d\r", "a" REPLACED "b" REPLACED "c" REPLACED "d" REPLACED},
        {html_text, "\xc3\xa9 \xe2\x9c\x93 \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x9c\x93 \xf0\x9f\x98\x80"},
        {html_text, "\xff", REPLACED},                                        /* not UTF-8 */
        {html_text, "\xc3", REPLACED},                                        /* truncated */
        {html_text, "\xc3<", REPLACED "&lt;"},                                /* truncated, with text after it */
        {html_text, "\xc0\xbc", REPLACED REPLACED},                           /* '<' in two bytes instead of one */
        {html_text, "\xe0\x80\xbc", REPLACED REPLACED REPLACED},              /* '<' in three bytes */
        {html_text, "\xed\xa0\x80", REPLACED REPLACED REPLACED},              /* half of a surrogate pair of UTF-16 */
        {html_text, "\xef\xbf\xbe", REPLACED REPLACED REPLACED},              /* U+FFFE, which is not a character */
        {html_text, "\xc2\x85", REPLACED REPLACED},                           /* a control character */
        {html_text, "\xf4\x90\x80\x80", REPLACED REPLACED REPLACED REPLACED}, /* beyond the last character */
        {html_path, "a/b=1,c.h5", "a/b=1,c.h5"},
        {html_path, "javascript:x", "javascript%3Ax"},
        {html_path, "a b\"'<&#?%\xc3\xa9", "a%20b%22%27%3C%26%23%3F%25%C3%A9"},
        {html_id, "va2022.a-b_1", "va2022.a-b_1"},
        {html_id, "a b/c~\"\xc3\xa9", "a~20b~2Fc~7E~22~C3~A9"},
        {html_svg, "<svg/>", "data:image/svg+xml,%3Csvg/>"},
        {html_svg, "<!-- x --><svg a='1'\n\t b='%'>\n\n <t> a  b </t>\r\n</svg>",
         "data:image/svg+xml,%3Csvg a='1'   b='%25'>   %3Ct> a  b %3C/t>  %3C/svg>"},
        {html_svg, "<svg>\"\001\xff#&</svg>", "data:image/svg+xml,%3Csvg>%22" REPLACED REPLACED "%23%26%3C/svg>"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        char *html = written(cases[c].write, cases[c].text);
        cr_expect_str_eq(html, cases[c].html, "%zu: %s gives %s", c, cases[c].text, html);
        free(html);
    }
}
